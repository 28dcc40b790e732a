import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { CLIENTS, connectHypervisor, type HypervisorClient } from '../../server/drivers/libvirt/connect'
import { connectionContract, sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { connectRpc } from '../../server/drivers/libvirt/rpc/rpc-connection'
import { connectVirsh } from '../../server/drivers/libvirt/virsh/virsh-connection'
import { guardedRig } from './guarded-rig'
import { whyNoRig } from './prerequisites'
import type { Rig } from './rig'
import type { RigHost } from './rig-host'

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

const ofTls = (host: RigHost, pkiPath = host.pkiPath) => sessionAddress(`tls:${host.ip}`, { pkiPath })

describe.skipIf(why !== null)(`real libvirt daemons${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const at = guardedRig()
  const first = () => at().rig.hosts[0] as RigHost

  for (const client of CLIENTS) {
    connectionContract(client, () => ({
      connect: () => connectHypervisor(sessionAddress(`unix:${first().socketPath}`), client),
      virsh: first().virsh,
      hostname: first().name,
      other: at().foreignDomains.on(first()),
      pages: { node: 2, sizeKib: 2048, free: 256, noSizeKib: 1_048_576 },
      writeXml: (xml) => {
        const file = path.join(first().folder, 'domain.xml')
        fs.writeFileSync(file, xml)
        return file
      },
    }))
    wayCases(client, () => at().rig)
  }
  const second = () => at().rig.hosts[1] as RigHost
  hangCases(second)
  helperCase(second)
  sshCase(second)
})

function wayCases(client: HypervisorClient, rig: () => Rig): void {
  describe(`the connection to a daemon: ${client}`, () => {
    const [first, second] = [() => rig().hosts[0] as RigHost, () => rig().hosts[1] as RigHost]

    it('reaches a socket of each of two hosts', async () => {
      for (const host of [first(), second()]) {
        const connection = await connectHypervisor(sessionAddress(`unix:${host.socketPath}`), client)
        expect(await connection.hostname()).toBe(host.name)
        await connection.close()
      }
    })

    it('reaches TLS, where both sides present a certificate', async () => {
      const connection = await connectHypervisor(ofTls(second()), client)
      expect(await connection.hostname()).toBe('hv2')
      await connection.close()
    })

    it('refuses a certificate that the daemon does not know', async () => {
      const unauthorized = ofTls(second(), rig().unauthorizedPkiPath)
      await expect(connectHypervisor(unauthorized, client)).rejects.toMatchObject({ kind: 'not-authenticated' })
    })

    it('fails where no daemon listens', async () => {
      const nowhere = sessionAddress(`unix:${first().folder}/none`)
      await expect(connectHypervisor(nowhere, client)).rejects.toMatchObject({ kind: 'unreachable' })
    })
  })
}

function hangCases(host: () => RigHost): void {
  describe('a daemon that hangs', () => {
    it('is abandoned at the deadline, while connecting and during a call', async () => {
      const limits = { connectMs: 2_000, callMs: 1_000, pingEveryMs: 60_000 }
      const asking = await connectRpc(sessionAddress(`unix:${host().socketPath}`), { limits })
      const idle = await connectRpc(sessionAddress(`unix:${host().socketPath}`), {
        limits: { ...limits, pingEveryMs: 200 },
      })
      await host().killDaemon('SIGSTOP')
      try {
        const timedOut = { kind: 'timed-out' }
        await expect(asking.hostname()).rejects.toMatchObject(timedOut)
        expect(await asking.ended).toMatchObject(timedOut)
        expect(await idle.ended).toMatchObject(timedOut)
        await expect(connectRpc(sessionAddress(`unix:${host().socketPath}`), { limits })).rejects.toMatchObject(
          timedOut,
        )
        await expect(connectVirsh(sessionAddress(`unix:${host().socketPath}`), 1_000).hostname()).rejects.toMatchObject(
          timedOut,
        )
      } finally {
        await host().killDaemon('SIGCONT')
      }
    })

    it('ends every call of a connection when it is killed, and answers again once it is back', async () => {
      const connection = await connectRpc(sessionAddress(`unix:${host().socketPath}`))
      await host().killDaemon('SIGSTOP')
      const refused = expect(connection.capabilities()).rejects.toMatchObject({ kind: 'closed' })
      await host().killDaemon('SIGKILL')
      await refused
      expect(await connection.ended).toMatchObject({ kind: 'closed' })
      await host().startDaemon()
      const again = await connectRpc(sessionAddress(`unix:${host().socketPath}`))
      expect(await again.hostname()).toBe('hv2')
      await again.close()
    })
  })
}

function helperCase(host: () => RigHost): void {
  it('carries the same calls over the helper that ssh runs', async () => {
    const folder = path.join(host().folder, 'bin')
    const runtime = `XDG_RUNTIME_DIR=${host().folder}/run`
    // Replaces the ssh client: its last argument is the command to run on the host.
    const words = host().inside(['env', runtime, 'sh', '-c'])
    fs.writeFileSync(path.join(folder, 'ssh'), `#!/bin/bash\nexec ${words.join(' ')} "\${@: -1}"\n`, { mode: 0o755 })
    const before = process.env.PATH
    process.env.PATH = `${folder}:${before}`
    try {
      const connection = await connectRpc(sessionAddress('ssh:berth@hv2'))
      expect(await connection.hostname()).toBe('hv2')
      await connection.close()
      expect(await connection.ended).toBeNull()
    } finally {
      process.env.PATH = before
    }
  })
}

const OWN_SSH = ['/usr/sbin/sshd', '/usr/bin/ssh', '/usr/bin/ssh-keygen'] as const
const SSH_PORT = 2222 // at the address of the rig's host

/** The client uses only the settings of the test, not keys and known hosts of the current user. */
function sshCase(host: () => RigHost): void {
  const [sshd, ssh, keygen] = OWN_SSH
  const missing = OWN_SSH.filter((file) => !fs.existsSync(file))
  if (missing.length > 0) console.log(`skipped: ssh, because ${missing.join(', ')} are not installed`)

  it.skipIf(missing.length > 0)('connects over ssh, whose server runs the helper of libvirt', async () => {
    const { folder, ip, socketPath } = host()
    const at = (name: string) => path.join(folder, 'bin', name)
    for (const key of ['host_key', 'own_key', 'strange_key'])
      execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)])
    fs.writeFileSync(at('known'), `[${ip}]:${SSH_PORT} ${fs.readFileSync(at('host_key.pub'), 'utf8')}`)
    fs.writeFileSync(at('client'), `UserKnownHostsFile ${at('known')}\nGlobalKnownHostsFile none\nIdentitiesOnly yes\n`)
    fs.writeFileSync(at('ssh'), `#!/bin/sh\nexec ${ssh} -F ${at('client')} "$@"\n`, { mode: 0o755 })
    fs.writeFileSync(at('server'), serverSettings({ folder, ip, at }))
    const server = spawnServer([sshd, '-D', '-e', '-f', at('server')], socketPath)
    const before = process.env.PATH
    process.env.PATH = `${path.dirname(at('ssh'))}:${before}`
    const address = (key: string) =>
      sessionAddress(`ssh:${os.userInfo().username}@${ip}:${SSH_PORT}`, { keyPath: at(key), readOnly: false })
    try {
      await answers(ip, SSH_PORT)
      for (const client of CLIENTS) {
        const connection = await connectHypervisor(address('own_key'), client)
        expect(await connection.hostname()).toBe('hv2')
        await connection.close()
        expect(await connection.ended).toBeNull()
      }
      const refused = { kind: 'not-authenticated' }
      await expect(connectRpc(address('strange_key'))).rejects.toMatchObject(refused)
      fs.writeFileSync(at('known'), '')
      await expect(connectRpc(address('own_key'))).rejects.toMatchObject(refused)
    } finally {
      process.env.PATH = before
      server.kill('SIGTERM')
    }
  })
}

const serverSettings = ({ folder, ip, at }: { folder: string; ip: string; at: (name: string) => string }) =>
  `ListenAddress ${ip}
Port ${SSH_PORT}
HostKey ${at('host_key')}
AuthorizedKeysFile ${at('own_key.pub')}
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
SetEnv XDG_RUNTIME_DIR=${folder}/run
`

/**
 * As root the server requires its own folder in /run, and its helper always looks for the system's daemon. A private
 * mount on /run provides both.
 */
const OWN_RUN = `mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd /run/libvirt &&
  ln -s "$1" /run/libvirt/libvirt-sock && shift && exec "$@"`

function spawnServer(words: readonly string[], socketPath: string): ChildProcess {
  const isolated = ['unshare', '--mount', 'sh', '-c', OWN_RUN, 'sh', socketPath]
  const [command = '', ...rest] = process.getuid?.() === 0 ? [...isolated, ...words] : words
  return spawn(command, rest, { stdio: 'ignore' })
}

const answers = (ip: string, port: number) =>
  vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = net.connect(port, ip, () => resolve(void socket.destroy())).once('error', reject)
      }),
    { timeout: 20_000, interval: 100 },
  )

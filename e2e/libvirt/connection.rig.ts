import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENTS, connectHypervisor, type HypervisorClient } from '../../server/drivers/libvirt/connect'
import { connectionContract, sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { connectRpc } from '../../server/drivers/libvirt/rpc/rpc-connection'
import { connectVirsh } from '../../server/drivers/libvirt/virsh/virsh-connection'
import { whyNoRig } from './able'
import { type Rig, startRig, TWO_NODES } from './rig'
import type { RigHost } from './rig-host'

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

const ofTls = (host: RigHost, pkiPath = host.pkiPath) => sessionAddress(`tls:${host.ip}`, { pkiPath })

describe.skipIf(why !== null)(`real libvirt daemons${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig([TWO_NODES, TWO_NODES])
  })
  afterAll(() => rig?.down())
  const first = () => rig.hosts[0] as RigHost

  for (const client of CLIENTS) {
    connectionContract(client, () => ({
      connect: () => connectHypervisor(sessionAddress(`unix:${first().socketPath}`), client),
      virsh: first().virsh,
      hostname: first().name,
      pages: { node: 2, sizeKib: 2048, free: 256, noSizeKib: 1_048_576 },
      writeXml: (xml) => {
        const file = path.join(first().folder, 'domain.xml')
        fs.writeFileSync(file, xml)
        return file
      },
    }))
    wayCases(client, () => rig)
  }
  const second = () => rig.hosts[1] as RigHost
  hangCases(second)
  sshCase(second)
})

function wayCases(client: HypervisorClient, rig: () => Rig): void {
  describe(`the way to a daemon: ${client}`, () => {
    const [first, second] = [() => rig().hosts[0] as RigHost, () => rig().hosts[1] as RigHost]

    it('is a socket to each of two hosts', async () => {
      for (const host of [first(), second()]) {
        const connection = await connectHypervisor(sessionAddress(`unix:${host.socketPath}`), client)
        expect(await connection.hostname()).toBe(host.name)
        await connection.close()
      }
    })

    it('is TLS, where both sides show a certificate', async () => {
      const connection = await connectHypervisor(ofTls(second()), client)
      expect(await connection.hostname()).toBe('hv2')
      await connection.close()
    })

    it('is closed to a certificate that the daemon does not know', async () => {
      const stranger = ofTls(second(), rig().strangerPkiPath)
      await expect(connectHypervisor(stranger, client)).rejects.toMatchObject({ kind: 'not-authenticated' })
    })

    it('leads nowhere where no daemon is', async () => {
      const nowhere = sessionAddress(`unix:${first().folder}/none`)
      await expect(connectHypervisor(nowhere, client)).rejects.toMatchObject({ kind: 'unreachable' })
    })
  })
}

function hangCases(host: () => RigHost): void {
  describe('a daemon that hangs', () => {
    it('is given up at the deadline, whether it is connected to or asked', async () => {
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

    it('ends every call of a connection when it is killed, and answers anew once it is back', async () => {
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

function sshCase(host: () => RigHost): void {
  it('carries the same calls over the helper that ssh runs', async () => {
    const folder = path.join(host().folder, 'bin')
    const runtime = `XDG_RUNTIME_DIR=${host().folder}/run`
    // Stands in for the ssh client: the last word is what it would run on the host.
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

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../address'
import { connectRpc } from './rpc-connection'

// Failures of ssh, from a stand-in with ssh's messages and exit codes. The texts are OpenSSH's (sshconnect.c,
// sshconnect2.c, packet.c) and of shells that lack libvirt's helper.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ssh-'))
const before = process.env.PATH
beforeAll(() => {
  process.env.PATH = `${folder}:${before}`
})
afterAll(() => {
  process.env.PATH = before
  fs.rmSync(folder, { recursive: true, force: true })
})

async function connectBySsh(says: string, code: number): Promise<unknown> {
  const script = `#!/bin/sh\nread -r -t 1 _ 2>/dev/null\ncat >&2 <<'END'\n${says}\nEND\nexit ${code}\n`
  fs.writeFileSync(path.join(folder, 'ssh'), script, { mode: 0o755 })
  const parsed = parseAddress('ssh:berth@hv1')
  if (!parsed.ok) throw new Error(parsed.why)
  return connectRpc(parsed.address).then(
    () => 'connected',
    (error: unknown) => error,
  )
}

describe('an ssh process that fails', () => {
  it.each([
    ['not-authenticated', 'berth@hv1: Permission denied (publickey,password).', 255],
    ['not-authenticated', 'Host key verification failed.', 255],
    ['not-authenticated', 'Received disconnect from 10.0.0.7 port 22:2: Too many authentication failures', 255],
    ['not-authenticated', 'Unable to negotiate with 10.0.0.7 port 22: no matching host key type found.', 255],
    ['unreachable', 'ssh: connect to host hv1 port 22: Connection refused', 255],
    ['unreachable', 'ssh: Could not resolve hostname hv1: Name or service not known', 255],
    ['unreachable', "virt-ssh-helper: cannot connect to '/run/libvirt/libvirt-sock-ro': No such file or directory", 1],
    ['protocol', 'bash: line 1: virt-ssh-helper: command not found', 127],
    ['protocol', 'sh: 1: virt-ssh-helper: not found', 127],
  ])('yields the error kind %s for its output: %s', async (kind, says, code) => {
    expect(await connectBySsh(says, code)).toMatchObject({ kind, message: says })
  })
})

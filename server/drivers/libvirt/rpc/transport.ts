import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { HypervisorAddress, Transport } from '../address'
import { HypervisorError } from '../errors'

// The stream to a daemon: a Unix socket, mutual TLS, or the standard input and output of `virt-ssh-helper` over ssh.

/**
 * If `signal` is aborted before the stream is ready, the stream and the process that carries it are ended. `onReached`:
 * the address accepts connections. Never called for ssh.
 */
export async function openTransport(
  address: HypervisorAddress,
  signal: AbortSignal,
  onReached: () => void = () => {},
): Promise<Duplex> {
  const { transport } = address
  switch (transport.kind) {
    case 'unix':
      return connected(net.connect({ path: transport.socketPath }).once('connect', onReached), 'connect', signal)
    case 'tls':
      return openTls(transport, signal, onReached)
    case 'ssh':
      return openSsh(address, transport, signal)
  }
}

async function connected<S extends Duplex>(stream: S, event: string, signal: AbortSignal): Promise<S> {
  const abort = () => stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      stream.once(event, resolve)
      stream.once('error', reject)
      stream.once('close', () => reject(new Error('the connection was closed')))
    })
    return stream
  } catch (error) {
    stream.destroy()
    throw faultOf(error as NodeJS.ErrnoException)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

// The socket exists but its permissions exclude this user.
function faultOf(error: NodeJS.ErrnoException): HypervisorError {
  if (error instanceof HypervisorError) return error
  return new HypervisorError(error.code === 'EACCES' ? 'not-authenticated' : 'unreachable', error.message)
}

const ACCEPTED = 1 // the byte for yes: virnettlscontext.c, virNetServerClientCheckAccess

/** Both sides present a certificate. The daemon then answers one byte that says whether it accepts the client's. */
async function openTls(
  transport: Extract<Transport, { kind: 'tls' }>,
  signal: AbortSignal,
  onReached: () => void,
): Promise<Duplex> {
  const { host, port, pkiPath } = transport
  const read = (name: string) =>
    fs.readFile(path.join(pkiPath, name)).catch((error: Error) => {
      throw new HypervisorError('not-authenticated', `a certificate or key cannot be read: ${error.message}`)
    })
  const [ca, cert, key] = await Promise.all([read('cacert.pem'), read('clientcert.pem'), read('clientkey.pem')])
  const servername = net.isIP(host) ? '' : host
  const socket = tls.connect({ host, port, ca, cert, key, servername, minVersion: 'TLSv1.2' })
  socket.setNoDelay(true).once('connect', onReached)
  await connected(socket, 'secureConnect', signal).catch((error: HypervisorError) => {
    throw isCertificateError(socket, error) ? new HypervisorError('not-authenticated', error.message) : error
  })
  const answer = await firstByte(socket, signal)
  if (answer === ACCEPTED) return socket
  socket.destroy()
  throw new HypervisorError('not-authenticated', 'the daemon rejects this certificate')
}

const isCertificateError = (socket: tls.TLSSocket, error: Error) =>
  Boolean(socket.authorizationError) || /certificate|handshake|alert|self[- ]signed|altnames/i.test(error.message)

/** Null when the stream ends without one: with TLS 1.3 a daemon refuses a certificate after the client is connected. */
function firstByte(socket: tls.TLSSocket, signal: AbortSignal): Promise<number | null> {
  const abort = () => socket.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  return new Promise<number | null>((resolve) => {
    const read = () => {
      const [byte] = (socket.read(1) as Buffer | null) ?? []
      if (byte === undefined) socket.once('readable', read)
      else resolve(byte)
    }
    socket.once('error', () => resolve(null))
    socket.once('close', () => resolve(null))
    socket.once('end', () => resolve(null))
    read()
  }).finally(() => signal.removeEventListener('abort', abort))
}

/**
 * As libvirt's own client does: src/rpc/virnetclient.c, virNetClientSSHHelperCommand with `proxy=native`. ssh never
 * prompts; the host key must already be known.
 */
async function openSsh(
  { daemon, readOnly }: HypervisorAddress,
  transport: Extract<Transport, { kind: 'ssh' }>,
  signal: AbortSignal,
): Promise<Duplex> {
  const child = spawn('ssh', sshArguments(transport, daemon, readOnly), { stdio: ['pipe', 'pipe', 'pipe'] })
  const stream = streamOf(child)
  return connected(stream, 'ready', signal)
}

export function sshArguments(
  { host, port, user, keyPath }: Extract<Transport, { kind: 'ssh' }>,
  daemon: 'system' | 'session',
  readOnly: boolean,
): readonly string[] {
  return [
    ...['-T', '-e', 'none', '-o', 'BatchMode=yes', '-o', 'ClearAllForwardings=yes', '-p', `${port}`],
    ...(user === null ? [] : ['-l', user]),
    ...(keyPath === null ? [] : ['-i', keyPath]),
    ...['--', host, `virt-ssh-helper ${readOnly ? '-r ' : ''}qemu:///${daemon}`],
  ]
}

const LAST_WORDS = 2_000 // characters of ssh's error output that are kept

/** ssh's messages when the server rejects the account, or is not trusted (OpenSSH, sshconnect2.c). */
const SSH_REFUSALS =
  /permission denied|host key verification failed|too many authentication failures|no supported authentication methods|no matching host key|no more authentication methods|identification has changed/i
/** The shell's message where libvirt's helper is not installed. */
const NO_HELPER = /virt-ssh-helper.*not found/i

function sshFault(stderrText: string, code: number | null): HypervisorError {
  const kind = SSH_REFUSALS.test(stderrText) ? 'not-authenticated' : NO_HELPER.test(stderrText) ? 'protocol' : 'closed'
  return new HypervisorError(kind, stderrText || `ssh ended with ${code}`)
}

/** `ready` once the program runs: only the first answer shows whether a daemon is behind it. */
function streamOf(child: ChildProcess): Duplex {
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) throw new HypervisorError('unreachable', 'ssh has no standard streams')
  const stream = new Duplex({
    read: () => void stdout.resume(),
    write: (chunk: Buffer, _encoding, done) => void stdin.write(chunk, () => done()),
    destroy: (error, done) => {
      child.kill('SIGKILL')
      done(error)
    },
  })
  stdout.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) stdout.pause()
  })
  // An ssh that has ended reports why; the failed write adds nothing.
  stdin.on('error', () => {})
  let stderrText = ''
  stderr.on('data', (chunk: Buffer) => {
    stderrText = `${stderrText}${chunk}`.slice(-LAST_WORDS)
  })
  child.once('spawn', () => stream.emit('ready'))
  child.once('error', (error) => stream.destroy(error))
  // Not at its exit: its error output may come after.
  child.once('close', (code) => stream.destroy(sshFault(stderrText.trim(), code)))
  return stream
}

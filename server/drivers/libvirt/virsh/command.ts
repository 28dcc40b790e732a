import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type HypervisorAddress, uriOf } from '../address'
import { HypervisorError, isRefusal } from '../errors'

// The `virsh` command, by argument list and never through a shell. Its own keepalive does not cover connecting to a hung
// daemon, so whatever runs too long is killed.

const OUTPUT_MAX_BYTES = 32 * 1024 * 1024
const KEEPALIVE = ['-k', '5', '-K', '3']
/** The output is parsed, so it must be English; `virsh` must not start a daemon when none answers. */
const ENVIRONMENT = { LC_ALL: 'C', LIBVIRT_AUTOSTART: '0' }

interface RunOptions {
  /** Null: until it exits, or the signal is aborted. */
  readonly limitMs: number | null
  readonly signal?: AbortSignal
}

/**
 * Returns the output. Does not use execFile's timeout, which stops reading first: when the command succeeds at the same
 * moment, it returns truncated output, and a host on a busy machine seemed to be empty.
 */
export function runVirsh(
  address: HypervisorAddress,
  words: readonly string[],
  { limitMs, signal }: RunOptions,
): Promise<string> {
  const options = {
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_MAX_BYTES,
    ...(signal && { signal }),
    env: { ...process.env, ...ENVIRONMENT },
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile('virsh', [...globalArguments(address), ...words], options, (error, stdout, stderr) => {
      clearTimeout(timer)
      if (late) reject(new HypervisorError('timed-out', `no answer within ${limitMs} ms`))
      else if (error) reject(faultOf(error, `${stderr}`))
      else resolve(stdout)
    })
    let late = false
    const giveUp = () => {
      late = true
      child.kill('SIGKILL')
      for (const stream of [child.stdout, child.stderr]) stream?.destroy() // child processes may hold them open
    }
    const timer = limitMs === null ? undefined : setTimeout(giveUp, limitMs)
  })
}

/** `virsh` reports no error codes, so after a failed read the list shows whether the subject still exists. */
export async function nullIfMissing<R>(
  list: () => Promise<readonly string[]>,
  subject: string,
  read: () => Promise<R>,
): Promise<R | null> {
  try {
    return await read()
  } catch (error) {
    if (isRefusal(error) && !(await list()).includes(subject)) return null
    throw error
  }
}

/** Runs until it is killed, line by line as it prints. */
export function watchVirsh(
  address: HypervisorAddress,
  words: readonly string[],
): ChildProcessByStdio<null, Readable, null> {
  // Into a pipe virsh prints by blocks of 4 KiB; events would come hours late.
  return spawn('stdbuf', ['-oL', 'virsh', ...globalArguments(address), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...ENVIRONMENT },
  })
}

const globalArguments = (address: HypervisorAddress) => [
  ...['-q', '-c', uriOf(address), ...KEEPALIVE],
  ...(address.readOnly ? ['-r'] : []),
]

interface CommandError extends Error {
  readonly code?: string | number | null
}

const CANNOT_CONNECT = /failed to connect to the hypervisor/
const NOT_AUTHENTICATED =
  /authentication (failed|unavailable|cancelled)|certificate|TLS confirmation|access denied by server/i
const UNREACHABLE = /failed to connect socket|unable to connect|cannot recv data|end of file while reading/i

function faultOf(error: CommandError, stderr: string): HypervisorError {
  if (error.name === 'AbortError') return new HypervisorError('closed', 'the connection was closed')
  if (error.code === 'ENOENT') return new HypervisorError('unreachable', 'the command virsh is not installed')
  const stderrText = stderr
    .split('\n')
    .map((line) => line.replace(/^error: /, '').trim())
    .filter((line) => line !== '')
  const message = stderrText.filter((line) => !CANNOT_CONNECT.test(line)).join('; ') || error.message
  if (NOT_AUTHENTICATED.test(stderr)) return new HypervisorError('not-authenticated', message)
  const lost = CANNOT_CONNECT.test(stderr) || UNREACHABLE.test(stderr)
  return new HypervisorError(lost ? 'unreachable' : 'refused', message)
}

import { spawn } from 'node:child_process'
import type { PowerReading } from '../engine/fencing/fencing'
import type { FencingMethod, OrderAnswer } from './method'

// An operator's command that powers a host off, and optionally a second one that reports its power. Both are lists of
// arguments and run without a shell. They get few variables and are killed at a deadline with all their children; their
// output is kept without the values of variables that were passed to them.

export interface CommandSettings {
  /** The first element is the path of the program. */
  readonly command: readonly string[]
  readonly status: readonly string[] | null
  /** Variables that are passed on, besides a PATH and a locale. */
  readonly environment: Readonly<Record<string, string>>
  readonly deadlineMs: number
}

const PLAIN = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }
/** Upper bound for one run of either. */
const RUN_MS = 60_000
const MAX_LINES = 6
const MAX_CHARACTERS = 600
const MAX_OUTPUT_LENGTH = 16_384
/** Exit code of `fence_*` agents for a host whose power is off. */
const OFF_CODE = 2

export function commandMethod(settings: CommandSettings): FencingMethod {
  const { command, status, deadlineMs } = settings
  return {
    ...{ kind: 'command', where: command[0] ?? '', deadlineMs },
    readPower: status && (async () => readingOf(await runCommand(status, settings))),
    orderOff: async () => answerOf(await runCommand(command, settings)),
  }
}

interface Ran {
  /** Null: it was killed. */
  readonly code: number | null
  readonly output: string
  readonly how: string
}

function answerOf({ code, output, how }: Ran): OrderAnswer {
  return { accepted: code === null ? null : code === 0, detail: withOutput(how, output) }
}

/** The last line must end with the power state: `Status: OFF`, `Chassis Power is on`. */
function readingOf({ code, output, how }: Ran): PowerReading {
  const last = output.split('\n').at(-1) ?? ''
  const word = /\b(on|off)\W*$/i.exec(last)?.[1]?.toLowerCase()
  const isPlain = code === 0 || (code === OFF_CODE && word === 'off')
  const power = isPlain && (word === 'on' || word === 'off') ? word : 'unknown'
  return { power, detail: withOutput(how, output) }
}

const withOutput = (how: string, output: string) => (output === '' ? how : `${how}: ${output.replaceAll('\n', ' | ')}`)

function runCommand(words: readonly string[], { environment, deadlineMs }: CommandSettings): Promise<Ran> {
  const [program = '', ...rest] = words
  const limitMs = Math.min(deadlineMs, RUN_MS)
  return new Promise((resolve) => {
    let output = ''
    let isLate = false
    // A separate process group, so that the deadline also ends its children.
    const child = spawn(program, rest, {
      env: { ...PLAIN, ...environment } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      cwd: '/',
    })
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child.pid)
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
    }, limitMs)
    const lastOutput = () => lastLines(output, Object.values(environment))
    const finish = (code: number | null, how: string) => {
      clearTimeout(timer)
      resolve({ code, output: lastOutput(), how })
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT_LENGTH)
      })
    }
    child.once('error', (error: NodeJS.ErrnoException) => finish(1, `it does not start (${error.code ?? error.name})`))
    child.once('close', (code, signal) => {
      if (isLate) finish(null, `no end within ${limitMs / 1000} s`)
      else finish(code, code === null ? `ended by ${signal}` : `exit code ${code}`)
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has just ended.
  }
}

/** The last lines of its output, as plain text, without the values that were passed to it. */
function lastLines(output: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), output)
  const lines = hidden
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey is not shown
    .replace(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.slice(-MAX_LINES).join('\n').slice(-MAX_CHARACTERS)
}

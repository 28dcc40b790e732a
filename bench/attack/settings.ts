import { parseArgs } from 'node:util'
import { messageOf, printedHelp, wrongCall } from '../../server/cli/usage'

// The settings of an attack, from the arguments of its command.

export interface AttackSettings {
  readonly calls: number
  readonly seed: number
  readonly port: number
  /** Concurrent calls. */
  readonly atOnce: number
}

const text = { type: 'string' } as const

/** Ends the process if the usage was requested or the arguments are wrong. */
export function attackSettings(usage: string, defaults: Pick<AttackSettings, 'calls' | 'port'>): AttackSettings {
  if (printedHelp(process.argv.slice(2), usage)) process.exit(0)
  const number = (name: string, given: string | undefined, fallback: number): number => {
    const value = given === undefined ? fallback : Number(given)
    if (Number.isInteger(value) && value > 0) return value
    throw new Error(`--${name} must be a whole number above 0`)
  }
  try {
    const { values } = parseArgs({ options: { calls: text, seed: text, port: text, 'at-once': text } })
    return {
      calls: number('calls', values.calls, defaults.calls),
      seed: number('seed', values.seed, 1),
      port: number('port', values.port, defaults.port),
      atOnce: number('at-once', values['at-once'], 16),
    }
  } catch (error) {
    process.exit(wrongCall(messageOf(error), usage))
  }
}

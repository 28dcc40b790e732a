import pino, { type Logger } from 'pino'
import { CLOCK_LIMIT_MS } from '../store/time/database-clock'

// Structured lines on stdout. Of an error, only what failed and where: drivers attach whole connections to theirs, with
// addresses and keys.

const DEPTH = 5 // causes of causes

export const openLog = (level: string, out?: pino.DestinationStream): Logger =>
  pino(
    { level, serializers: { error: (error) => serializeError(error), err: (error) => serializeError(error) } },
    out ?? process.stdout,
  )

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: unknown
}

function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const plain: LoggedError = {
    ...{ type: name, message },
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth < DEPTH && { cause: serializeError(cause, depth + 1) }),
  }
  return plain
}

/** Called when this machine's clock starts to be wrong, and when it is right again. */
export function logClockOffset(log: Logger, offsetMs: number): void {
  if (Math.abs(offsetMs) <= CLOCK_LIMIT_MS) log.warn({ offsetMs }, 'the clock of this machine is right again')
  else log.error({ offsetMs }, 'the clock of this machine is wrong; Berth goes by the clock of the database')
}

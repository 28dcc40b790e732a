import type { Problem } from '../../api/rest/answers'

/** Exit codes; docs/cli.md has the table. */
export const ExitCode = {
  done: 0,
  /** A bug in `berth`. */
  mistake: 1,
  /** The command is incomplete or unknown, or a value of it is not valid. */
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  notFound: 5,
  refused: 6,
  /** The awaited operation ended with another result, or findings have at least the given severity. */
  ended: 7,
  timeout: 8,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** Ends the command with an exit code and a message on standard error. */
export class Failure extends Error {
  override readonly name = 'Failure'
  constructor(
    readonly code: ExitCode,
    message: string,
    /** The server's error response, for `-o json`. */
    readonly problem: Problem | null = null,
  ) {
    super(message)
  }
}

interface LocalFailure {
  readonly what: string
  readonly next: string
  /** Default: no request changed anything. */
  readonly notChanged?: string
}

/** Without a problem of the server, in the same order: what failed, what was not changed, what to do. */
export const failed = (code: ExitCode, { what, next, notChanged = 'Nothing was changed.' }: LocalFailure): Failure =>
  new Failure(code, [what, notChanged, next].join('\n'))

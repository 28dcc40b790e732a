import type { Problem } from '../../api/rest/answers'

/** What the command ends with; docs/cli.md has the table. */
export const ExitCode = {
  done: 0,
  /** The command itself is wrong. */
  mistake: 1,
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

/** Ends the command with a code and a message on the standard error. */
export class Failure extends Error {
  override readonly name = 'Failure'
  constructor(
    readonly code: ExitCode,
    message: string,
    /** What the server said, for `-o json`. */
    readonly problem: Problem | null = null,
  ) {
    super(message)
  }
}

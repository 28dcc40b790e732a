import { databaseFailure } from '../boot/start-failure'

// What every command of this folder does with its arguments before anything else.

/** Prints the usage if it was requested, whatever else is given. The command then ends with 0. */
export function printedHelp(args: readonly string[], usage: string): boolean {
  const isRequested = args.includes('--help') || args.includes('-h')
  if (isRequested) console.log(usage)
  return isRequested
}

/** Node's hint how to pass an unknown option as a positional argument, which no command takes. */
const NODES_HINT = /\. To specify a positional argument.*$/s

/** Prints why the arguments are wrong, and the usage. The command then ends with 2. */
export function wrongCall(why: string, usage: string): 2 {
  console.error(`${why.replace(NODES_HINT, '').replace(/\.\s*$/, '')}. Nothing was changed.\n${usage}`)
  return 2
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const UNREACHABLE = 3 // as of `berth`

/** The exit code of a command on the database. Without a connection it is a sentence and no stack. */
export async function onDatabase(work: Promise<number>): Promise<number> {
  try {
    return await work
  } catch (error) {
    const why = databaseFailure(error)
    if (why === null) throw error
    console.error(`${why} Nothing more was changed.`)
    return UNREACHABLE
  }
}

import { Command, CommanderError, Option } from 'commander'
import { completionCommand } from './commands/completion'
import { explainCommand } from './commands/explain'
import { drainCommand, hostsCommand } from './commands/hosts'
import { migrationsCommand } from './commands/migrations'
import { auditCommand, repairCommand } from './commands/repair'
import { ExitCode, Failure } from './failure'
import { facts, openSession } from './session'

// berth: the functions of the console, for terminals and scripts. docs/cli.md lists its commands and exit codes.

export function berthCommand(version: string): Command {
  const berth = new Command('berth')
    .description('Controls migrations, repairs and drains over REST. Set BERTH_URL and BERTH_TOKEN.')
    .version(version)
    .addOption(new Option('--url <url>', 'URL of Berth').env('BERTH_URL'))
    .addOption(new Option('-o, --output <how>', 'output format').choices(['table', 'json']).default('table'))
  const commands = [
    ...[hostsCommand(), migrationsCommand(), explainCommand(), auditCommand(), repairCommand(), drainCommand()],
    ...[whoamiCommand(), completionCommand(() => berth)],
  ]
  for (const each of commands) berth.addCommand(each)
  return throwing(berth)
}

const whoamiCommand = () =>
  new Command('whoami').description('show the token and its role').action(async (_options: object, self: Command) => {
    const session = openSession(self)
    const { user, role, version } = await session.call('session.me')
    session.show({ user, role, version }, () => facts({ who: user.name, role, server: version }))
  })

/** Makes every command throw where commander would exit the process, after a text that says what to do. */
function throwing(command: Command, path: readonly string[] = []): Command {
  const words = [...path, command.name()]
  command.exitOverride().showHelpAfterError(`Nothing was changed.\n${words.join(' ')} --help shows the usage.`)
  for (const each of command.commands) throwing(each, words)
  return command
}

/** Returns the exit code. Prints a failure to standard error, with `-o json` as JSON. */
export async function runBerth(args: readonly string[], version: string): Promise<number> {
  const berth = berthCommand(version)
  try {
    await berth.parseAsync([...args], { from: 'user' })
    return ExitCode.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage
    if (error instanceof Failure) {
      const isJson = berth.opts().output === 'json'
      console.error(isJson ? JSON.stringify(error.problem ?? { what: error.message }) : error.message)
      return error.code
    }
    console.error(error)
    return ExitCode.mistake
  }
}

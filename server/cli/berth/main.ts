import { Command, CommanderError, Option } from 'commander'
import { completionCommand } from './commands/completion'
import { explainCommand } from './commands/explain'
import { drainCommand, hostsCommand } from './commands/hosts'
import { migrationsCommand } from './commands/migrations'
import { auditCommand, repairCommand } from './commands/repair'
import { ExitCode, Failure } from './failure'
import { facts, openSession } from './session'

// berth: what the console does, from a terminal or a script. docs/cli.md has its commands and what it ends with.

export function berthCommand(version: string): Command {
  const berth = new Command('berth')
    .description('Migrations, repairs and drains from a terminal. Set BERTH_URL and BERTH_TOKEN.')
    .version(version)
    .addOption(new Option('--url <url>', 'where Berth is').env('BERTH_URL'))
    .addOption(new Option('-o, --output <how>', 'how answers are printed').choices(['table', 'json']).default('table'))
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

/** Every command of the tree throws where commander would end the process. */
function throwing(command: Command): Command {
  command.exitOverride()
  for (const each of command.commands) throwing(each)
  return command
}

/** The exit code. What failed is on the standard error, or with `-o json` as JSON there. */
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

import { Command, Option } from 'commander'
import { ExitCode, Failure } from '../failure'
import { openSession, type Session } from '../session'
import { OPERATIONS } from './migrations'

export function explainCommand(): Command {
  return new Command('explain')
    .description('show for every host why an instance or a flavor fits or not')
    .option('--instance <instance>', 'that is to migrate')
    .addOption(new Option('--operation <operation>', 'of the instance').choices(OPERATIONS).default('live-migrate'))
    .option('--flavor <name>', 'the flavor: of a resize, or of an instance that does not exist yet')
    .option('--host <host>', 'this host only')
    .option('--fail', 'end with 7 when no host fits')
    .action(explain)
}

interface ExplainOptions {
  readonly instance?: string
  readonly operation: (typeof OPERATIONS)[number]
  readonly flavor?: string
  readonly host?: string
  readonly fail?: true
}

async function explain(options: ExplainOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const { instance, flavor, host } = options
  if (!instance && !flavor) throw new Failure(ExitCode.usage, 'Give --instance or --flavor.')
  const answer = instance ? await ofInstance(session, instance, options) : await ofFlavor(session, flavor ?? '')
  const only = host === undefined ? null : await session.hostId(host)
  const hosts = (answer.hosts ?? []).filter((each) => only === null || each.host.id === only)
  session.show({ ...answer, hosts }, () => ({
    head: ['host', 'zone', 'verdict', 'rank', 'rules'],
    rows: hosts.map(({ host: { name }, zone, verdict, rank, reasons }) => [
      ...[name, zone, verdict, rank],
      reasons.map((each) => reasonText(each)).join('; '),
    ]),
    none: 'No hosts, or the role of the token may not see them.',
  }))
  const { ok, warning, refused } = answer.counts
  session.note(`${ok} fit, ${warning} with warnings, ${refused} refuse`)
  if (options.fail && ok + warning === 0) throw new Failure(ExitCode.ended, 'No host fits.')
}

async function ofInstance(session: Session, instance: string, { operation, flavor }: ExplainOptions) {
  return session.call('move.explain', {
    ...{ for: 'move', instance: await session.instanceId(instance), operation },
    ...(flavor === undefined ? {} : { flavor }),
  })
}

const ofFlavor = (session: Session, flavor: string) => session.call('why.ask', { flavor })

interface Reason {
  readonly kind: string
  readonly shortBy: number | null
  readonly unit: string | null
}

const reasonText = ({ kind, shortBy, unit }: Reason) =>
  shortBy === null ? kind : `${kind}: short by ${shortBy}${unit ? ` ${unit}` : ''}`

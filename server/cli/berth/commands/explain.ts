import { Command, Option } from 'commander'
import { ExitCode, Failure, failed } from '../failure'
import { openSession, type Session } from '../session'
import { OPERATIONS } from './migrations'

export function explainCommand(): Command {
  return new Command('explain')
    .description('show which hosts fit an instance or a flavor, and which rules refuse')
    .option('--instance <instance>', 'instance to migrate')
    .addOption(new Option('--operation <operation>', 'with --instance').choices(OPERATIONS).default('live-migrate'))
    .option('--flavor <name>', 'flavor of a resize, or of a new instance')
    .option('--host <host>', 'only this host')
    .option('--fail', 'exit with 7 if no host fits')
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
  if (!instance && !flavor)
    throw failed(ExitCode.usage, {
      what: 'The request has no instance and no flavor.',
      next: 'Use --instance or --flavor.',
    })
  const answer = instance ? await ofInstance(session, instance, options) : await ofFlavor(session, flavor ?? '')
  const only = host === undefined ? null : await session.hostId(host)
  const hosts = (answer.hosts ?? []).filter((each) => only === null || each.host.id === only)
  session.show({ ...answer, hosts }, () => ({
    head: ['host', 'zone', 'verdict', 'rank', 'rules'],
    rows: hosts.map(({ host: { name }, zone, verdict, rank, reasons }) => [
      ...[name, zone, verdict, rank],
      reasons.map((each) => reasonText(each)).join('; '),
    ]),
    none: 'No hosts, or the role of the token does not permit reading them.',
  }))
  const { ok, warning, refused } = answer.counts
  session.note(`${ok} fit, ${warning} fit with warnings, ${refused} refuse`)
  if (options.fail && ok + warning === 0) throw new Failure(ExitCode.ended, 'No host fits.')
}

async function ofInstance(session: Session, instance: string, { operation, flavor }: ExplainOptions) {
  return session.call('migrate.explain', {
    ...{ for: 'migrate', instance: await session.instanceId(instance), operation },
    ...(flavor === undefined ? {} : { flavor }),
  })
}

const ofFlavor = (session: Session, flavor: string) => session.call('explain.get', { flavor })

interface Reason {
  readonly kind: string
  readonly shortBy: number | null
  readonly unit: string | null
}

const reasonText = ({ kind, shortBy, unit }: Reason) =>
  shortBy === null ? kind : `${kind}: short by ${shortBy}${unit ? ` ${unit}` : ''}`

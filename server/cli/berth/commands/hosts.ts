import { Command, Option } from 'commander'
import type { OutputOf } from '../client'
import { ExitCode, Failure } from '../failure'
import { facts, noteUnlisted, openSession, type Session, timeText } from '../session'
import { seconds, waitForRun } from '../wait'

const MAX_HOSTS = 2_000

export function hostsCommand(): Command {
  const command = new Command('hosts').description('list hosts, and enable or disable scheduling to them')
  command.command('list').description('list hosts').option('--zone <zone>', 'only in this zone').action(list)
  command.command('show <host>').description('show a host').action(show)
  for (const [verb, scheduling] of [
    ['enable', 'enabled'],
    ['disable', 'disabled'],
  ] as const) {
    command
      .command(`${verb} <host>`)
      .description(`${verb} scheduling to a host`)
      .requiredOption('--reason <text>', 'for the audit log')
      .action(async (host: string, { reason }: { reason: string }, self: Command) => {
        const session = openSession(self)
        const answer = await session.call('host.setScheduling', { id: await session.hostId(host), scheduling, reason })
        session.show(answer, () => facts({ host, scheduling }))
      })
  }
  return command
}

async function list({ zone }: { readonly zone?: string }, self: Command): Promise<void> {
  const session = openSession(self)
  const page = await session.call('host.list', { limit: MAX_HOSTS, ...(zone === undefined ? {} : { zone: [zone] }) })
  session.show(page, () => ({
    head: ['host', 'zone', 'status', 'scheduling', 'instances', 'pinned', 'vcpus', 'memory MiB', 'findings'],
    rows: page.rows.map((row) => [
      ...[row.name, row.zone, row.status, row.scheduling, row.instances],
      ...[shareText(row.pinned), shareText(row.vcpu), shareText(row.memoryMib), row.findings],
    ]),
    none: 'No hosts.',
  }))
  noteUnlisted(session, page)
}

const shareText = ({ used, total }: { readonly used: number; readonly total: number }) => `${used}/${total}`

async function show(host: string, _options: object, self: Command): Promise<void> {
  const session = openSession(self)
  const found = await session.call('host.byId', { id: await session.hostId(host) })
  session.show(found, () =>
    facts({
      ...{ id: found.id, host: found.name, zone: found.zone, status: found.status, scheduling: found.scheduling },
      ...{ reason: found.reason, driver: found.driver, layout: found.layout, instances: found.instances },
      ...{ pinned: shareText(found.pinned), vcpus: shareText(found.vcpu), 'memory MiB': shareText(found.memoryMib) },
      ...{ findings: found.findings, 'last answer': timeText(found.lastSeenAt) },
    }),
  )
}

const FALLBACKS = ['cold', 'stay', 'stop'] as const

export function drainCommand(): Command {
  const command = new Command('drain').description('plan, show and apply the drain of a host')
  command
    .command('plan <host>')
    .description('plan a target for each instance of a host')
    .addOption(
      new Option('--fallback <method>', 'for instances that cannot live-migrate').choices(FALLBACKS).default('stay'),
    )
    .option('--no-others', 'no migrations on other hosts to make room')
    .requiredOption('--reason <text>', 'for the audit log')
    .action(plan)
  command
    .command('show <run>')
    .description('show a drain')
    .action(async (id: string, _options: object, self: Command) => {
      const session = openSession(self)
      showRun(session, await session.call('run.byId', { id }))
    })
  command
    .command('apply <run>')
    .description('start a planned drain; this disables scheduling to the host')
    .requiredOption('--reason <text>', 'for the audit log')
    .option('--wait', 'wait until it ends')
    .option('--timeout <seconds>', 'limit for --wait; 0: none', seconds, 0)
    .action(apply)
  return command
}

interface PlanOptions {
  readonly fallback: (typeof FALLBACKS)[number]
  readonly others: boolean
  readonly reason: string
}

async function plan(host: string, { fallback, others, reason }: PlanOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const asked = { kind: 'drain', host: await session.hostId(host), fallback, helpers: others, reason } as const
  const { run } = await session.call('run.plan', asked)
  showRun(session, await session.call('run.byId', { id: run }))
}

function showRun(session: Session, run: OutputOf<'run.byId'>): void {
  session.show(run, () => ({
    head: ['n', 'instance', 'from', 'to', 'method', 'state', 'why'],
    rows: [
      ...run.migrations.map((each) => [
        ...[each.n, each.instance.name, each.from.name, each.to?.name, each.method, each.state, each.why],
      ]),
      ...run.blockers.map(({ instance, why, smallestChange }) => [
        ...['-', instance.name, run.host.name, null, null, 'blocked', smallestChange ?? why],
      ]),
    ],
    none: 'No instances.',
  }))
  session.note(`Run ${run.id}: ${run.state}, ${run.done} of ${run.total} done`)
}

interface ApplyOptions {
  readonly reason: string
  readonly wait?: true
  readonly timeout: number
}

async function apply(id: string, { reason, wait, timeout }: ApplyOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const accepted = await session.call('run.start', { id, reason })
  if (!wait) return session.show(accepted, () => facts({ run: id, accepted: timeText(accepted.acceptedAt) }))
  const run = await waitForRun(session, id, { timeout })
  showRun(session, run)
  if (run.state === 'done' && run.failed === 0) return
  throw new Failure(
    ExitCode.ended,
    `The drain is ${run.state}: ${run.failed} failed, ${run.left} stay. ${run.note ?? ''}`,
  )
}

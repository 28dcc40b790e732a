import { setTimeout as pause } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { InputOf, OutputOf } from '../client'
import { ExitCode, Failure, failed } from '../failure'
import { facts, openSession, type Session, type Table, timeText } from '../session'
import { mustHaveEnded, seconds, stepText, throughOutages, waitForMigrations, wholeNumber } from '../wait'

const VIEWS = ['flight', 'waiting', 'overdue', 'history', 'all'] as const
export const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve'] as const
const STORAGE = ['auto', 'shared', 'block'] as const
const WATCH_INTERVAL_MS = 2_000

/** Outcomes that `--wait` accepts for each requested action. */
const ENDS = {
  confirm: ['completed'],
  revert: ['reverted'],
  abort: ['aborted', 'reverted'],
  'force-complete': ['completed'],
  retry: ['completed'],
} as const satisfies Record<InputOf<'migration.requestAction'>['requestedAction'], readonly string[]>
type Action = keyof typeof ENDS

/** As in the console: the instance stops, which cannot be undone. */
const NEEDS_REASON: ReadonlySet<Action> = new Set(['force-complete'])

const SAYS: Readonly<Record<Action, string>> = {
  confirm: 'Confirm migrations: the source claims are released',
  revert: 'Revert migrations: instances return to their source',
  abort: 'Abort migrations',
  'force-complete': 'Force live migrations to complete; this cannot be undone',
  retry: 'Retry waiting migrations now',
}

export function migrationsCommand(): Command {
  const command = new Command('migrations').description('list, watch and control migrations')
  command
    .command('list')
    .description('list migrations')
    .addOption(new Option('--view <view>', 'which migrations').choices(VIEWS).default('flight'))
    .option('--host <host>', 'only from or to this host')
    .option('--instance <instance>', 'only of this instance')
    .option('--limit <n>', 'maximum number', wholeNumber, 200)
    .action(list)
  command.command('show <id>').description('show a migration with its steps').action(show)
  command
    .command('watch [ids...]')
    .description('print each change until they end; without ids: all migrations, until interrupted')
    .action(watch)
  command
    .command('start <operation> <instance>')
    .description(`start a migration; operation: ${OPERATIONS.join(', ')}`)
    .option('--to <host>', 'target; default: chosen by the scheduler')
    .option('--flavor <name>', 'new flavor of a resize')
    .option('--image <name>', 'image of a rebuild')
    .addOption(new Option('--storage <mode>', 'how a live migration treats the disk').choices(STORAGE))
    .option('--reason <text>', 'for the audit log')
    .option('--wait', 'wait until it ends, or awaits confirm or revert')
    .option('--timeout <seconds>', 'limit for --wait; 0: none', seconds, 0)
    .action(start)
  for (const action of Object.keys(ENDS) as Action[]) {
    const reason = new Option('--reason <text>', 'for the audit log').makeOptionMandatory(NEEDS_REASON.has(action))
    command
      .command(`${action} <ids...>`)
      .description(SAYS[action])
      .addOption(reason)
      .option('--wait', 'wait until they end')
      .option('--timeout <seconds>', 'limit for --wait; 0: none', seconds, 0)
      .action((ids: string[], options: ActOptions, self: Command) => act(action, { ids, options, self }))
  }
  return command
}

interface ListOptions {
  readonly view: (typeof VIEWS)[number]
  readonly host?: string
  readonly instance?: string
  readonly limit: number
}

async function list({ view, host, instance, limit }: ListOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const page = await session.call('migration.list', {
    view,
    ...(host === undefined ? {} : { host: await session.hostId(host) }),
    ...(instance === undefined ? {} : { instance: await session.instanceId(instance) }),
    limit,
  })
  session.show(page, () => migrationTable(page.rows))
  if (page.total > page.rows.length) session.note(`${page.rows.length} of ${page.total}; --limit shows more.`)
}

type Row = OutputOf<'migration.list'>['rows'][number]

const migrationTable = (rows: readonly Row[]): Table => ({
  head: ['id', 'instance', 'operation', 'source', 'target', 'state', 'started'],
  rows: rows.map((row) => [
    ...[row.id, row.instance.name, row.operation, row.source?.name, row.target?.name],
    ...[stepText(row), timeText(row.startedAt)],
  ]),
  none: 'No migrations.',
})

async function show(id: string, _options: object, self: Command): Promise<void> {
  const session = openSession(self)
  const migration = await session.call('migration.byId', { id })
  session.show(migration, () => migrationFacts(migration))
}

const migrationFacts = (migration: OutputOf<'migration.byId'>): Table =>
  facts({
    id: migration.id,
    instance: migration.instance.name,
    operation: migration.operation,
    source: migration.source?.name,
    target: migration.target?.name,
    state: stepText(migration),
    'requested action': migration.requestedAction?.requestedAction,
    'started by': migration.startedBy,
    reason: migration.reason,
    started: timeText(migration.startedAt),
    ended: timeText(migration.endedAt),
    'overdue after': timeText(migration.overdueAt),
    steps: migration.steps.map(({ step }) => step).join(', '),
  })

async function watch(ids: readonly string[], _options: object, self: Command): Promise<void> {
  const session = openSession(self)
  if (ids.length === 0) return watchAll(session)
  const ended = await waitForMigrations(session, ids, { timeout: 0, orConfirmation: false })
  session.show(ended, () => migrationTable(ended))
}

/** Runs until interrupted. Migrations that had ended before it began are not printed. */
async function watchAll(session: Session): Promise<void> {
  const printed = new Map<string, string>()
  for (;;) {
    const rows = await throughOutages(session, () => unended(session))
    const listed = new Set(rows.map(({ id }) => id))
    // One that is not listed has ended, or went from one page or view to another between two requests.
    for (const id of [...printed.keys()].filter((each) => !listed.has(each)))
      rows.push(await throughOutages(session, () => session.call('migration.byId', { id })))
    for (const row of rows) {
      const line = stepText(row)
      if (printed.get(row.id) !== line)
        console.log(session.isJson ? JSON.stringify(row) : `${row.id}  ${row.instance.name}  ${row.operation}  ${line}`)
      if (row.outcome === null) printed.set(row.id, line)
      else printed.delete(row.id)
    }
    await pause(WATCH_INTERVAL_MS)
  }
}

const PAGE = 2_000

async function unended(session: Session): Promise<Row[]> {
  const rows = new Map<string, Row>()
  for (const view of ['flight', 'waiting'] as const)
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const page = await session.call('migration.list', { view, offset, limit: PAGE })
      for (const row of page.rows) rows.set(row.id, row)
      total = page.total
    }
  return [...rows.values()]
}

interface StartOptions {
  readonly to?: string
  readonly flavor?: string
  readonly image?: string
  readonly storage?: (typeof STORAGE)[number]
  readonly reason?: string
  readonly wait?: true
  readonly timeout: number
}

async function start(operation: string, instance: string, ...[options, self]: [StartOptions, Command]): Promise<void> {
  const session = openSession(self)
  const known = OPERATIONS.find((each) => each === operation)
  if (!known)
    throw failed(ExitCode.usage, { what: `Unknown operation ${operation}.`, next: `Use ${OPERATIONS.join(', ')}.` })
  const { to, wait, timeout, ...rest } = options
  const { migration } = await session.call('migrate.start', {
    ...{ ...rest, operation: known, instance: await session.instanceId(instance) },
    ...(to === undefined ? {} : { host: await session.hostId(to) }),
  })
  if (wait) {
    const ended = await waitForMigrations(session, [migration], { timeout, orConfirmation: true })
    session.show(ended[0], () => migrationTable(ended))
    return mustHaveEnded(ended, ['completed'])
  }
  session.show({ migration }, () => facts({ migration }))
}

interface ActOptions {
  readonly reason?: string
  readonly wait?: true
  readonly timeout: number
}

interface ActArguments {
  readonly ids: readonly string[]
  readonly options: ActOptions
  readonly self: Command
}

async function act(requestedAction: Action, { ids, options, self }: ActArguments): Promise<void> {
  const session = openSession(self)
  const { reason, wait, timeout } = options
  const answers = await session.call('migration.requestAction', {
    ids: [...ids],
    requestedAction,
    ...(reason && { reason }),
  })
  const refused = answers.filter(({ refusal }) => refusal !== null)
  session.show(answers, () => ({
    head: ['migration', 'accepted', 'refused'],
    rows: answers.map(({ id, acceptedAt, refusal }) => [id, timeText(acceptedAt), refusal?.have ?? refusal?.kind]),
  }))
  if (refused.length > 0)
    throw new Failure(ExitCode.refused, `${refused.length} of ${ids.length} migrations refused ${requestedAction}.`)
  if (wait)
    mustHaveEnded(await waitForMigrations(session, ids, { timeout, orConfirmation: false }), ENDS[requestedAction])
}

import type { Change, Write } from '../../engine/books'
import { consumersOf, raisedBy } from '../../engine/ledger/raised'
import type { PlacedCell } from '../../engine/topology/guest'
import { migrationPut, migrationRow, stepRow } from '../migration/row'
import { lineRow } from './row-write'

// A change as `commit_change` reads it (prisma/functions/commit.sql).

type Json = Readonly<Record<string, unknown>>

export function changeRow(change: Change): Json {
  const { guards, event, actor } = change
  return {
    providers: guards.providers.map(({ provider, generation }) => [provider, generation]),
    raise: arrayText([...raisedBy(change)]),
    consumers: arrayText(change.writes.flatMap(consumersOf)),
    kept: arrayText(change.writes.flatMap(keptBy)),
    instance: guards.instance && [guards.instance.id, guards.instance.generation],
    migration: guards.migration && [guards.migration.id, guards.migration.generation, guards.migration.fence],
    group: guards.group && [guards.group.id, guards.group.generation],
    part: partOf(change),
    writes: raising(change),
    event: {
      kind: event.kind,
      hosts: arrayText(event.hosts),
      instance: event.instance,
      migration: event.migration,
      data: event.data,
      ...(event.quiet && { quiet: true }),
    },
    who: actor.who,
    request: actor.request,
    reason: actor.reason,
    at: timeText(change.at),
  }
}

/** Writes of a change that takes one migration on. Those of the second list touch claims or hosts. */
const STEP_WRITES: readonly Write['do'][] = ['put-migration', 'put-step', 'update-instance']
const CLAIM_WRITES: readonly Write['do'][] = [
  ...STEP_WRITES,
  'insert-migration',
  'take',
  'exchange',
  'release',
  'note-remains',
]

/** What takes one migration on may be written together with others; `null` for every other change. */
function partOf({ guards, writes }: Change): 'steps' | 'claims' | null {
  const { providers, instance, migration, group } = guards
  const heads = writes.filter((write) => write.do === 'put-migration' || write.do === 'insert-migration')
  const isOwn = (write: Write) => {
    if (write.do === 'insert-migration') return write.migration.instance === instance?.id
    if (write.do === 'put-migration') return write.migration.id === migration?.id
    if (write.do === 'put-step') return write.step.migration === heads[0]?.migration.id
    return write.do !== 'update-instance' || write.id === instance?.id
  }
  if (instance === null || heads.length !== 1 || !writes.every(isOwn)) return null
  const isStep = migration !== null && providers.length === 0 && group === null
  if (isStep && writes.every((write) => STEP_WRITES.includes(write.do))) return 'steps'
  return writes.every((write) => CLAIM_WRITES.includes(write.do)) ? 'claims' : null
}

/** Writes that nothing else of the change relies on. Whether an exchange may be made is read from the migration's row. */
function isDeferred({ writes }: Change, write: Write): boolean {
  if (write.do === 'put-step' || write.do === 'insert-migration') return true
  const holds = writes.some((each) => each.do === 'exchange' || each.do === 'release')
  if (write.do === 'update-instance') return !holds
  return write.do === 'put-migration' && !writes.some((each) => each.do === 'exchange')
}

/** Providers of what stays with the instance: the change does not touch them. */
const keptBy = (write: Write): readonly string[] =>
  write.do === 'exchange' ? (write.kept ?? []).map(({ provider }) => provider) : []

export const timeText = (ms: number): string => new Date(ms).toISOString()

// A guarded row is raised once, however many writes name it: by its first write, or by a write of its own.
function raising(change: Change): Json[] {
  const { guards, writes } = change
  const instance = new Set<string>(guards.instance ? [guards.instance.id] : [])
  const migration = new Set<string>(guards.migration ? [guards.migration.id] : [])
  const rows = writes.map((write): Json => {
    const row = isDeferred(change, write) ? { ...writeRow(write), deferred: true } : writeRow(write)
    if (write.do === 'update-instance') return { ...row, raise: first(instance, write.id) }
    if (write.do === 'put-migration') return { ...row, raise: first(migration, write.migration.id) }
    if (write.do === 'delete-instance') instance.delete(write.id)
    return row
  })
  for (const id of instance) rows.push({ do: 'raise-instance', id, deferred: true })
  for (const id of migration) rows.push({ do: 'raise-migration', id })
  return rows
}

const first = (waiting: Set<string>, id: string): 0 | 1 => (waiting.delete(id) ? 1 : 0)

function writeRow(write: Write): Json {
  const unreadable = 'migration' in write && typeof write.migration === 'object' && write.migration?.unreadable
  if (unreadable) throw new Error(`A stand-in for ${unreadable[0]?.column} of a migration must not be written.`)
  switch (write.do) {
    case 'insert-instance': {
      const { host, vmState, group, powerRequest = null, power: _observed, ...rest } = write.instance
      const row = { ...rest, host_id: host, vm_state: vmState, group_id: group, power_request: powerRequest }
      return { do: write.do, row }
    }
    case 'insert-migration':
      return { do: write.do, row: migrationRow(write.migration) }
    case 'put-migration':
      return { do: write.do, row: migrationPut(write.migration) }
    case 'put-step':
      return { do: write.do, row: stepRow(write.step) }
    case 'take':
      return takeRow(write)
    case 'note-remains':
    case 'clear-remains':
    case 'update-instance':
    case 'delete-instance':
    case 'release':
      return write
    case 'exchange':
      return { ...write, kept: (write.kept ?? []).map(({ provider, resourceClass }) => [provider, resourceClass]) }
    case 'set-host':
      return { do: write.do, host: write.id, set: write.set }
    case 'row':
      return lineRow(write.line)
  }
}

function takeRow({ claim, consumer, consumerKind, instance, plan }: Extract<Write, { do: 'take' }>): Json {
  return {
    do: 'take',
    claim,
    consumer,
    kind: consumerKind,
    instance,
    host: plan.host,
    amounts: plan.amounts.map(({ provider, resourceClass, amount }) => [provider, resourceClass, amount]),
    cells: plan.cells.map(cellRow),
    units: plan.units.map(({ unit, use, requestId }) => [unit, use, requestId ?? null]),
    devices: plan.units.some(({ kind }) => kind !== 'cpu'),
  }
}

const cellRow = (cell: PlacedCell) => [
  cell.guestCell,
  cell.hostCell,
  cell.memoryMib,
  cell.pageKib,
  arrayText(cell.sharedVcpus),
  cell.pins,
  arrayText(cell.reservedCpus),
  cell.cpuPolicy,
  cell.threadPolicy,
  cell.reservedSharesCore ?? false,
]

/** As PostgreSQL writes arrays of numbers and ids. */
const arrayText = (values: readonly (number | string)[]): string => `{${values.join(',')}}`

import { type Change, instanceGuards, type Write } from '../../engine/change'
import { consumersOf, raisedBy } from '../../engine/ledger/raised'
import type { PlacedNode } from '../../engine/topology/guest-topology'
import { migrationPut, migrationRow, stepRow } from '../migration/row'
import { lineRow } from './row-write'

// A change as `commit_change` reads it (prisma/functions/commit.sql).

type Json = Readonly<Record<string, unknown>>

export function changeRow(change: Change): Json {
  const { guards, event, actor } = change
  return {
    providers: guards.providers.map(({ provider, generation, pending }) => [
      provider,
      generation,
      pending !== undefined,
    ]),
    raise: arrayText([...raisedBy(change)]),
    consumers: arrayText(change.writes.flatMap(consumersOf)),
    kept: arrayText(change.writes.flatMap(keptProvidersOf)),
    instance: guards.instance && [guards.instance.id, guards.instance.generation],
    ...(guards.furtherInstances && { further: guards.furtherInstances.map(({ id, generation }) => [id, generation]) }),
    migration: guards.migration && [guards.migration.id, guards.migration.generation, guards.migration.fence],
    group: guards.group && [guards.group.id, guards.group.generation],
    ...(guards.fleetLimit !== undefined && { most: guards.fleetLimit }),
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
    ...(actor.origin && { origin: actor.origin }),
    at: timeText(change.at),
  }
}

/** Providers of allocations that stay with the instance; the change does not touch them. */
export const keptProvidersOf = (write: Write): readonly string[] =>
  write.do === 'exchange' ? (write.keptAmounts ?? []).map(({ provider }) => provider) : []

export const timeText = (ms: number): string => new Date(ms).toISOString()

// A guarded row's generation is raised once, however many writes name it: by its first write, or by a separate one.
function raising(change: Change): Json[] {
  const { guards, writes, at } = change
  const instance = new Set<string>(instanceGuards(guards).map(({ id }) => id))
  const migration = new Set<string>(guards.migration ? [guards.migration.id] : [])
  const rows = writes.map((write): Json => {
    const row = writeRow(write, at)
    if (write.do === 'update-instance') return { ...row, raise: first(instance, write.id), at: timeText(at) }
    if (write.do === 'put-migration') {
      return { do: write.do, row: migrationPut(write.migration, { raise: first(migration, write.migration.id), at }) }
    }
    if (write.do === 'delete-instance') instance.delete(write.id)
    return row
  })
  for (const id of instance) rows.push({ do: 'raise-instance', id })
  for (const id of migration) rows.push({ do: 'raise-migration', id })
  return rows
}

const first = (waiting: Set<string>, id: string): 0 | 1 => (waiting.delete(id) ? 1 : 0)

function writeRow(write: Write, at: number): Json {
  const unreadable = 'migration' in write && typeof write.migration === 'object' && write.migration?.unreadable
  if (unreadable) throw new Error(`A stand-in for ${unreadable[0]?.column} of a migration must not be written.`)
  switch (write.do) {
    case 'insert-instance': {
      const { host, vmState, group, powerRequest = null, power: _observed, ...rest } = write.instance
      const row = { ...rest, host_id: host, vm_state: vmState, group_id: group, power_request: powerRequest }
      return { do: write.do, row }
    }
    case 'insert-migration':
      return { do: write.do, row: migrationRow(write.migration, at) }
    case 'put-step':
      return { do: write.do, row: stepRow(write.step) }
    case 'take':
      return takeRow(write, at)
    case 'put-migration': // its row has the increment
    case 'note-remains':
    case 'clear-remains':
    case 'update-instance':
    case 'delete-instance':
    case 'release':
      return write
    case 'exchange':
      return { do: write.do, pair: pairRow(write, at) }
    case 'set-host':
      return { do: write.do, host: write.id, set: write.set }
    case 'row':
      return lineRow(write.line)
  }
}

export function pairRow({ instance, migration, keptAmounts = [] }: Extract<Write, { do: 'exchange' }>, at: number) {
  return [
    instance,
    migration,
    keptAmounts.map(({ provider, resourceClass }) => [provider, resourceClass]),
    timeText(at),
  ]
}

type Take = Extract<Write, { do: 'take' }>

export function takeRow({ claim, consumer, consumerKind, instance, plan }: Take, at: number): Json {
  return {
    do: 'take',
    at: timeText(at),
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

const cellRow = (node: PlacedNode) => [
  node.guestCell,
  node.hostCell,
  node.memoryMib,
  node.pageKib,
  arrayText(node.sharedVcpus),
  node.pins,
  arrayText(node.reservedCpus),
  node.cpuPolicy,
  node.threadPolicy,
  node.reservedSharesCore ?? false,
]

/** PostgreSQL's array literal of numbers or ids. */
const arrayText = (values: readonly (number | string)[]): string => `{${values.join(',')}}`

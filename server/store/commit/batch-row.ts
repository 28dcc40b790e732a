import type { Change, Write } from '../../engine/change'
import { consumersOf, raisedBy } from '../../engine/ledger/raised'
import { migrationPut, migrationRow, stepRow } from '../migration/row'
import { keptProvidersOf, pairRow, takeRow, timeText } from './change-row'

// Changes as `commit_together` reads them (prisma/functions/together.sql): the writes of all, table by table.

type Json = Readonly<Record<string, unknown>>

/** The writes of a change that advances one migration. */
const WRITES: readonly Write['do'][] = [
  ...(['insert-migration', 'put-migration', 'put-step', 'update-instance'] as const),
  ...(['take', 'exchange', 'release', 'note-remains'] as const),
]

/** True when the change advances one migration and touches nothing else: such changes may be written together. */
export function isSingleMigrationChange({ guards: { instance, migration }, writes }: Change): boolean {
  const heads = writes.flatMap((write) => {
    return write.do === 'put-migration' || write.do === 'insert-migration' ? [write.migration] : []
  })
  const [head] = heads
  if (instance === null || head === undefined || heads.length > 1) return false
  return writes.every((write) => {
    if (write.do === 'insert-migration') return migration === null && write.migration.instance === instance.id
    if (write.do === 'put-migration') return write.migration.id === migration?.id
    if (write.do === 'put-step') return write.step.migration === head.id
    if (write.do === 'update-instance') return write.id === instance.id
    return WRITES.includes(write.do)
  })
}

/**
 * Splits changes, in order, into batches that may be sent as one. No two changes written together concern one instance,
 * and so none concern one migration.
 */
export function inBatches<T extends { readonly change: Change }>(all: readonly T[]): readonly (readonly T[])[] {
  const batches: { carrying: boolean; members: T[]; instances: Set<string> }[] = []
  for (const each of all) {
    const carrying = isSingleMigrationChange(each.change)
    const id = each.change.guards.instance?.id ?? ''
    const last = batches.at(-1)
    if (last?.carrying === carrying && !(carrying && last.instances.has(id))) {
      last.members.push(each)
      last.instances.add(id)
    } else {
      batches.push({ carrying, members: [each], instances: new Set([id]) })
    }
  }
  return batches.map(({ members }) => members)
}

export function batchRow(changes: readonly Change[]): Json {
  const each = <T extends Json>(rows: (change: Change, n: number) => readonly T[]) =>
    changes.flatMap((change, n) => rows(change, n).map((row) => ({ n, ...row })))
  const writes = <K extends Write['do']>(kind: K, row: (write: Extract<Write, { do: K }>, change: Change) => Json) =>
    each((change) => change.writes.flatMap((write) => (write.do === kind ? [row(write as never, change)] : [])))
  return {
    changes: each((change) => [headRow(change)]),
    guards: each(({ guards }) => guards.providers.map(({ provider, generation }) => ({ provider, generation }))),
    raise: each((change) => [...raisedBy(change)].map((provider) => ({ provider }))),
    holders: each(({ writes: all }) =>
      all.flatMap((write) => consumersOf(write).map((consumer) => ({ consumer, kept: keptProvidersOf(write) }))),
    ),
    accepted: writes('insert-migration', ({ migration }, { at }) => migrationRow(migration, at)),
    puts: writes('put-migration', ({ migration }, { at }) => migrationPut(migration, { raise: 1, at })),
    instances: each(instanceRows),
    releases: writes('release', ({ consumer }) => ({ consumer })),
    exchanges: writes('exchange', (write, { at }) => ({ pair: pairRow(write, at) })),
    takes: writes('take', (write, { at }) => takeRow(write, at)),
    remains: writes('note-remains', (write, { at }) => ({ ...write, at: timeText(at) })),
    steps: writes('put-step', ({ step }) => stepRow(step)),
  }
}

function headRow({ guards: { instance, migration, group, fleetLimit }, event, actor, at }: Change): Json {
  return {
    at: timeText(at),
    instance: instance?.id,
    instance_generation: instance?.generation,
    migration: migration?.id,
    migration_generation: migration?.generation,
    fence: migration?.fence,
    grouped: group?.id,
    group_generation: group?.generation,
    most: fleetLimit,
    kind: event.kind,
    hosts: event.hosts,
    event_instance: event.instance,
    event_migration: event.migration,
    data: event.data,
    quiet: event.quiet ?? false,
    who: actor.who,
    request: actor.request,
    reason: actor.reason,
    origin: actor.origin,
  }
}

/** The instance's generation is raised once: by its write, or on its own. */
function instanceRows({ guards, writes, at }: Change): readonly Json[] {
  const updates = writes.flatMap((write) => (write.do === 'update-instance' ? [write] : []))
  if (updates.length === 0) return [{ id: guards.instance?.id, set: {}, raise: 1 }]
  return updates.map(({ id, set }, nth) => ({ id, set, raise: nth === 0 ? 1 : 0, at: timeText(at) }))
}

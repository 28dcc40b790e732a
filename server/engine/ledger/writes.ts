import type { Conflict, Instance, Write } from '../change'
import { isDecided } from '../claim'
import type { Host } from '../host'
import type { Disproof } from '../proof/disproof'
import { exchangeDisproof, leftoverDisproof, releaseDisproof } from '../proof/writes'
import type { ConsumerId, HostId, InstanceId, MigrationId } from '../words/ids'
import { claimsHeld, type LedgerDraft } from './ledger'
import { hostAfter } from './on-host'

// Applies one write to a draft. What PostgreSQL asserts by an index is asserted here too: one holder per unit, one
// active migration per instance.

export type WriteOf<K extends Write['do']> = Extract<Write, { do: K }>

/** Every write except reviewed lines, with the laws of `engine/proof`. */
export function applyProved(draft: LedgerDraft, write: Exclude<Write, { do: 'row' }>): Conflict | null {
  if (write.do === 'release') return releaseConflict(draft, write.consumer) ?? applyUnproved(draft, write)
  if (write.do === 'clear-remains') return leftoverConflict(draft, write) ?? applyUnproved(draft, write)
  const broken = applyUnproved(draft, write)
  return broken === null && write.do === 'exchange' ? exchangeConflict(draft, write) : broken
}

/** Without the laws of `engine/proof`. */
export function applyUnproved(draft: LedgerDraft, write: Exclude<Write, { do: 'row' }>): Conflict | null {
  switch (write.do) {
    case 'insert-instance':
      return insertInstance(draft, write)
    case 'update-instance':
      return updateInstance(draft, write)
    case 'delete-instance':
      return deleteInstance(draft, write)
    case 'insert-migration':
      return insertMigration(draft, write)
    case 'put-migration':
      return putMigration(draft, write)
    case 'put-step':
      draft.steps.set(`${write.step.migration} ${write.step.seq}`, write.step)
      return null
    case 'take':
      return takeConflict(draft, write) ?? onHosts(draft, write)
    case 'release':
    case 'exchange':
    case 'set-host':
      return onHosts(draft, write)
    case 'note-remains':
      return noteRemains(draft, write)
    case 'clear-remains':
      return clearRemains(draft, write)
    default:
      return write satisfies never
  }
}

// A sharing provider is one row seen by many hosts: a write changes it on all of them.
function onHosts(draft: LedgerDraft, write: Write): null {
  for (const id of [...draft.hosts.keys()]) {
    const host = draft.hosts.get(id)!
    const after = hostAfter(host, write)
    if (after === null || after === host) continue
    draft.hosts.set(id, after)
    spread(draft, host, after)
  }
  return null
}

function spread(draft: LedgerDraft, before: Host, after: Host): void {
  const changed = after.providers.filter((each, at) => each.sharing && each !== before.providers[at])
  if (changed.length === 0) return
  const now = new Map(changed.map((provider) => [provider.id, provider]))
  for (const [id, host] of draft.hosts) {
    if (id === after.id || !host.providers.some((each) => now.has(each.id))) continue
    draft.hosts.set(id, { ...host, providers: host.providers.map((each) => now.get(each.id) ?? each) })
  }
}

function insertInstance(draft: LedgerDraft, { instance }: WriteOf<'insert-instance'>): Conflict | null {
  if (draft.instances.has(instance.id)) return made('instance', instance.id)
  draft.instances.set(instance.id, instance)
  return null
}

const made = (on: Conflict['on'], id: string): Conflict => ({ on, id, expected: 'absent', found: 'present' })
const absent = (on: Conflict['on'], id: string): Conflict => ({ on, id, expected: 'present', found: 'absent' })

function updateInstance(draft: LedgerDraft, { id, set }: WriteOf<'update-instance'>): Conflict | null {
  const row = draft.instances.get(id)
  if (row === undefined) return absent('instance', id)
  draft.instances.set(id, { ...row, ...set })
  return null
}

function deleteInstance(draft: LedgerDraft, { id }: WriteOf<'delete-instance'>): Conflict | null {
  const active = activeConflict(draft, id)
  if (active === null) draft.instances.delete(id)
  return active
}

function insertMigration(draft: LedgerDraft, { migration }: WriteOf<'insert-migration'>): Conflict | null {
  if (draft.migrations.has(migration.id)) return made('migration', migration.id)
  const active = migration.step === 'ended' ? null : activeConflict(draft, migration.instance)
  if (active === null) draft.migrations.set(migration.id, migration)
  return active
}

function activeConflict({ migrations }: LedgerDraft, instance: InstanceId): Conflict | null {
  for (const each of migrations.values()) {
    if (each.instance === instance && each.step !== 'ended') {
      return { on: 'active-migration', id: instance, expected: 'none', found: each.id }
    }
  }
  return null
}

function putMigration(draft: LedgerDraft, { migration }: WriteOf<'put-migration'>): Conflict | null {
  const row = draft.migrations.get(migration.id)
  if (row === undefined) return absent('migration', migration.id)
  // The lease sets the fence and the guard the generation: a row that was read earlier must not lower them.
  draft.migrations.set(migration.id, { ...migration, fence: row.fence, generation: row.generation })
  return null
}

function takeConflict(draft: LedgerDraft, { plan }: WriteOf<'take'>): Conflict | null {
  const host = draft.hosts.get(plan.host)
  if (host === undefined || !isDecided(plan)) throw new Error('a claim that was not decided for this host')
  const wanted = new Set(plan.units.map((unit) => unit.unit))
  if (wanted.size === 0) return null
  for (const { unit, gone } of host.devices) {
    if (gone && wanted.has(unit)) return { on: 'unit', id: unit, expected: 'on the host', found: 'gone' }
  }
  for (const holding of host.holdings) {
    const taken = holding.body.units.find((unit) => wanted.has(unit.unit))
    if (taken) return { on: 'unit', id: taken.unit, expected: 'free', found: holding.consumer }
  }
  return null
}

function noteRemains(draft: LedgerDraft, write: WriteOf<'note-remains'>): null {
  const { host, instance, migration, side } = write
  draft.leftovers.set(host, [...(draft.leftovers.get(host) ?? []), { instance, migration, side }])
  return onHosts(draft, write)
}

function clearRemains(draft: LedgerDraft, { host: id, instance, migration }: WriteOf<'clear-remains'>): null {
  const rest = (draft.leftovers.get(id) ?? []).filter(
    (each) => each.instance !== instance || each.migration !== migration,
  )
  draft.leftovers.set(id, rest)
  const host = draft.hosts.get(id)
  if (host !== undefined) draft.hosts.set(id, { ...host, leftovers: [...new Set(rest.map((each) => each.instance))] })
  return null
}

// What prisma/functions/proof.sql asserts.

const conflictOf = (id: string, broken: Disproof | null): Conflict | null =>
  broken && { on: 'law', id, expected: broken.law, found: broken.why }

function releaseConflict(draft: LedgerDraft, consumer: ConsumerId): Conflict | null {
  const isClaimedOnHost = ({ id, host }: Instance) => claimsHeld(draft, id).some((each) => each.host === host)
  const broken = releaseDisproof(consumer, {
    held: claimsHeld(draft, consumer),
    migration: draft.migrations.get(consumer as MigrationId) ?? null,
    instanceOf: (id) => draft.instances.get(id as InstanceId) ?? null,
    isClaimedOnHost,
  })
  return conflictOf(consumer, broken)
}

function exchangeConflict(draft: LedgerDraft, { instance, migration }: WriteOf<'exchange'>): Conflict | null {
  const broken = exchangeDisproof({
    instance,
    migration: draft.migrations.get(migration) ?? null,
    heldByInstance: claimsHeld(draft, instance),
    heldByMigration: claimsHeld(draft, migration),
  })
  return conflictOf(migration, broken)
}

function leftoverConflict(
  draft: LedgerDraft,
  { host, instance, migration }: WriteOf<'clear-remains'>,
): Conflict | null {
  const currentHost: HostId | null = draft.instances.get(instance)?.host ?? null
  const row = migration === null ? null : (draft.migrations.get(migration) ?? null)
  return conflictOf(instance, leftoverDisproof({ host, currentHost, migration: row }))
}

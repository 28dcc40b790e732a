import type { Conflict, Instance, Write } from '../../engine/books'
import { isDecided } from '../../engine/claim'
import { withClaim, withExchange, withoutHolding } from '../../engine/holdings'
import type { Host } from '../../engine/host'
import type { Disproof } from '../../engine/proof/disproof'
import type { ClaimHeld } from '../../engine/proof/migration'
import { exchangeDisproof, releaseDisproof } from '../../engine/proof/writes'
import type { ConsumerId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { raiseRoot } from './guards'
import type { Rows } from './in-memory'

// One write onto a draft. What PostgreSQL asserts by an index is asserted here too: one holder per unit, one active
// migration per instance.

export function applyWrite(draft: Rows, write: Write): Conflict | null {
  if (write.do === 'release') return releaseConflict(draft, write.consumer) ?? applyUnproved(draft, write)
  const broken = applyUnproved(draft, write)
  return broken === null && write.do === 'exchange' ? exchangeConflict(draft, write) : broken
}

/** Without the laws of `engine/proof`. */
export function applyUnproved(draft: Rows, write: Write): Conflict | null {
  switch (write.do) {
    case 'insert-instance':
      draft.instances.set(write.instance.id, write.instance)
      return null
    case 'update-instance':
      return updateInstance(draft, write)
    case 'delete-instance':
      draft.instances.delete(write.id)
      return null
    case 'insert-migration':
      return insertMigration(draft, write)
    case 'put-migration':
      return putMigration(draft, write)
    case 'put-step':
      draft.steps.set(`${write.step.migration} ${write.step.seq}`, write.step)
      return null
    case 'exchange':
      return exchange(draft, write)
    case 'take':
      return take(draft, write)
    case 'release':
      return release(draft, write.consumer)
    case 'set-host':
      return setHost(draft, write)
    case 'note-remains':
      return noteRemains(draft, write)
    case 'clear-remains':
      return clearRemains(draft, write)
    case 'row':
      throw new Error('The simulated world is moved, not healed: no change of its may hold rows.')
    default:
      return write satisfies never
  }
}

type Of<K extends Write['do']> = Extract<Write, { do: K }>

function updateInstance(draft: Rows, { id, set }: Of<'update-instance'>): null {
  const row = draft.instances.get(id)
  if (row !== undefined) draft.instances.set(id, { ...row, ...set })
  return null
}

function insertMigration(draft: Rows, { migration }: Of<'insert-migration'>): Conflict | null {
  for (const each of draft.migrations.values()) {
    if (each.instance === migration.instance && each.step !== 'ended') {
      return { on: 'active-migration', id: migration.instance, expected: 'none', found: each.id }
    }
  }
  draft.migrations.set(migration.id, migration)
  return null
}

function putMigration(draft: Rows, { migration }: Of<'put-migration'>): null {
  const row = draft.migrations.get(migration.id)
  // The fence belongs to the lease and the generation to the guard: a row that was read earlier must not lower them.
  if (row !== undefined) {
    draft.migrations.set(migration.id, { ...migration, fence: row.fence, generation: row.generation })
  }
  return null
}

function exchange(draft: Rows, write: Of<'exchange'>): null {
  for (const host of draft.hosts.values()) {
    const after = withExchange(host, write)
    if (after === host) continue
    draft.hosts.set(host.id, after)
    raiseRoot(draft, host.id)
  }
  return null
}

function take(draft: Rows, write: Of<'take'>): Conflict | null {
  const { plan, claim, consumer, consumerKind, instance } = write
  const host = draft.hosts.get(plan.host)
  if (host === undefined || !isDecided(plan)) throw new Error('a claim that nobody decided on this host')
  const held = holderOfAny(host, plan.units)
  if (held !== null) return held
  draft.hosts.set(host.id, withClaim(host, { claim, consumer, consumerKind, instance }, plan))
  return null
}

function holderOfAny(host: Host, units: Of<'take'>['plan']['units']): Conflict | null {
  const wanted = new Set(units.map((unit) => unit.unit))
  if (wanted.size === 0) return null
  for (const holding of host.holdings) {
    const taken = holding.body.units.find((unit) => wanted.has(unit.unit))
    if (taken) return { on: 'unit', id: taken.unit, expected: 'no holder', found: holding.consumer }
  }
  return null
}

function release(draft: Rows, consumer: ConsumerId): null {
  for (const host of draft.hosts.values()) {
    const held = host.holdings.filter((each) => each.consumer === consumer)
    if (held.length === 0) continue
    let rest = host
    for (const { claim } of held) rest = withoutHolding(rest, claim)
    draft.hosts.set(host.id, rest)
    raiseRoot(draft, host.id)
  }
  return null
}

function setHost(draft: Rows, { id, set }: Of<'set-host'>): null {
  const host = draft.hosts.get(id)
  if (host === undefined) return null
  const { truth = host.truth, admission = host.admission, memory = host.memory } = set
  draft.hosts.set(id, { ...host, truth, admission, memory })
  raiseRoot(draft, id)
  return null
}

function noteRemains(draft: Rows, { host, instance, migration, side }: Of<'note-remains'>): null {
  draft.remains.set(host, [...(draft.remains.get(host) ?? []), { instance, migration, side }])
  return showRemains(draft, host)
}

function clearRemains(draft: Rows, { host, instance, migration }: Of<'clear-remains'>): null {
  const rest = (draft.remains.get(host) ?? []).filter(
    (each) => each.instance !== instance || each.migration !== migration,
  )
  draft.remains.set(host, rest)
  return showRemains(draft, host)
}

function showRemains(draft: Rows, id: HostId): null {
  const host = draft.hosts.get(id)
  if (host === undefined) return null
  const remains = [...new Set((draft.remains.get(id) ?? []).map((each) => each.instance))]
  draft.hosts.set(id, { ...host, remains })
  return null
}

// What prisma/functions/proof.sql asserts.

const conflictOf = (id: string, broken: Disproof | null): Conflict | null =>
  broken && { on: 'law', id, expected: broken.law, found: broken.why }

function releaseConflict(draft: Rows, consumer: ConsumerId): Conflict | null {
  const housed = ({ id, host }: Instance) => claimsHeld(draft, id).some((each) => each.host === host)
  const broken = releaseDisproof(consumer, {
    held: claimsHeld(draft, consumer),
    migration: draft.migrations.get(consumer as MigrationId) ?? null,
    instanceOf: (id) => draft.instances.get(id as InstanceId) ?? null,
    housed,
  })
  return conflictOf(consumer, broken)
}

function exchangeConflict(draft: Rows, { instance, migration }: Of<'exchange'>): Conflict | null {
  const broken = exchangeDisproof({
    instance,
    migration: draft.migrations.get(migration) ?? null,
    heldByInstance: claimsHeld(draft, instance),
    heldByMigration: claimsHeld(draft, migration),
  })
  return conflictOf(migration, broken)
}

/** What a consumer holds, wherever that is. */
export const claimsHeld = ({ hosts }: Pick<Rows, 'hosts'>, consumer: ConsumerId): readonly ClaimHeld[] =>
  [...hosts.values()].flatMap(({ id: host, holdings }) =>
    holdings.flatMap(({ consumer: holder, claim, consumerKind: kind, instance }) =>
      holder === consumer ? [{ claim, host, kind, instance }] : [],
    ),
  )

import { randomUUID } from 'node:crypto'
import type { Change, ChangeResult } from '../engine/change'
import { prove } from '../engine/proof/proposition'
import type { ClaimId, MigrationId } from '../engine/words/ids'
import { batchReads } from '../store/database/batch-reads'
import { readHost } from '../store/host/read'
import { type InFlight, inFlightFor, readSlots, type SlotUse } from '../store/migration/in-flight'
import { takeLeases } from '../store/migration/lease'
import { readGroup, readInstanceView, readMigrationRows, readViewOf } from '../store/migration/view'
import type { ConductorParts } from './conductor'
import type { RecordEffects } from './run'

// Reads for ticks. Many ticks are active at once and most read the same kinds of rows, so reads that arrive during a
// query are batched into the next.

const AT_ONCE = 64 // ticks served by one statement

export function recordsOf(parts: ConductorParts): RecordEffects {
  const { database, clock, fleet, observe, onError } = parts
  const rowsOf = batchReads(AT_ONCE, (ids: readonly MigrationId[]) => readMigrationRows(database, ids))
  const slots = slotsOf(parts)
  return {
    lease: leases(parts),
    view: ({ migration }) => readViewOf(database, async () => (await rowsOf(migration)) ?? null, fleet),
    hosts: fleet.hosts,
    host: ({ host }) => readHost(database, host),
    candidate: async ({ migration, source, target }) => {
      const ids = source === null ? [target] : [target, source]
      const answer = await fleet.countedWith(ids, () => slots.count(migration))
      return () => {
        const { hosts, counted } = answer()
        const [at = null, from = null] = hosts
        return { target: at, source: from, inFlight: counted ?? UNCOUNTED }
      }
    },
    group: (ask) => readGroup(database, ask),
    proof: ({ of }) => prove(of),
    inFlight: ({ migration }) => slots.count(migration),
    commit: ({ change }) => slots.committing(change, parts.commit),
    instance: ({ instance }) => readInstanceView(database, instance),
    newClaimId: () => randomUUID() as ClaimId,
    now: () => clock.now(),
    observe: async ({ host }) => {
      await observe?.(host).catch((error: unknown) => onError('a survey of one host', error))
      return null
    },
  }
}

/** One statement for all ticks that begin together. A changed rule may give two ticks different lease times. */
function leases({ database, clock }: ConductorParts): RecordEffects['lease'] {
  const askers = new Map<string, ReturnType<typeof askerFor>>()
  const askerFor = (owner: string, ttlMs: number) =>
    batchReads(AT_ONCE, (migrations: readonly MigrationId[]) =>
      takeLeases(database, { migrations, owner, ttlMs, now: clock.leaseTime?.() }),
    )
  return async ({ migration, owner, ttlMs }) => {
    const key = `${owner} ${ttlMs}`
    const asker = askers.get(key) ?? askerFor(owner, ttlMs)
    askers.set(key, asker)
    const fence = await asker(migration)
    return fence === null ? null : { fence }
  }
}

/** When the hosts were reread on each try: no slot counts as free. */
const UNCOUNTED: InFlight = {
  fleet: Number.POSITIVE_INFINITY,
  bySource: new Map(),
  byTarget: new Map(),
  queuedBefore: 0,
}

interface Slots {
  /** The returned function also counts what was sent before its call. */
  count(asking: MigrationId): Promise<() => InFlight>
  /** Counts a claim's slot from the time it is sent. */
  committing(change: Change, send: (change: Change) => Promise<ChangeResult>): Promise<ChangeResult>
}

interface PendingSlot {
  readonly use: SlotUse
  /** The number of the last read that had begun at the commit: that one may have missed it. */
  committedAfter: number | null
}

/**
 * Slots in use, in the tables and in changes that this server has sent. A claim may be decided on the expected result
 * of an earlier claim, whose slot must then be counted too, or the limit would be exceeded.
 */
function slotsOf({ database }: ConductorParts): Slots {
  const sent = new Map<MigrationId, PendingSlot>()
  let reads = 0
  const read = batchReads(AT_ONCE, async (asking: readonly MigrationId[]) => {
    const number = ++reads
    const rows = await readSlots(database, asking)
    for (const [id, { committedAfter }] of sent) if (committedAfter !== null && committedAfter < number) sent.delete(id)
    return new Map(asking.map((id) => [id, rows]))
  })
  return {
    count: async (asking) => {
      const rows = (await read(asking)) ?? { using: [], queuedBefore: new Map() }
      return () => {
        const known = new Set(rows.using.map(({ id }) => id))
        const missed = [...sent.values()].flatMap(({ use }) => (known.has(use.id) ? [] : [use]))
        return inFlightFor(asking, { ...rows, using: [...rows.using, ...missed] })
      }
    },
    committing: async (change, send) => {
      const use = slotTaken(change)
      if (use === null) return send(change)
      const claim: PendingSlot = { use, committedAfter: null }
      sent.set(use.id, claim)
      const committed = await send(change).catch((error: unknown) => {
        sent.delete(use.id)
        throw error
      })
      if (committed.ok) claim.committedAfter = reads
      else sent.delete(use.id)
      return committed
    },
  }
}

/** The slot that a change takes when it advances a migration out of `claim`. */
function slotTaken({ event, writes }: Change): SlotUse | null {
  if (event.kind !== 'migration.claimed') return null
  const put = writes.find((write) => write.do === 'put-migration')
  return put ? put.migration : null
}

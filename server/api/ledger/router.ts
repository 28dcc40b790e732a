import { z } from 'zod'
import { LEDGER_LIST } from '@/lists/ledger'
import type { FindingKind } from '../../engine/audit/finding'
import type { Operation } from '../../engine/migration/state'
import { countLedger, type LedgerCounts, type LedgerEntry, listLedger } from '../../store/claim/ledger'
import { type Ref, shortId } from '../names/names'
import { pastTime } from '../past/input'
import { refuseUnrecordedTime } from '../past/recorded-time'
import type { Ms, Page } from '../plain'
import { hostId, instanceId, line, listed, object, query, recordId } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import type { ConsumerSwap } from '../provider/router'

/** Allocations of one consumer from one provider. */
export interface LedgerRow {
  /** Consumer and provider together. */
  readonly id: string
  readonly consumer: {
    readonly kind: 'instance' | 'migration' | 'other'
    readonly id: string
    /** The instance's name, also for its migration; for other consumers the start of the id. */
    readonly name: string
    readonly project: string
    readonly generation: number | null
    /** As clients of the Placement API report it, such as `INSTANCE`; null when not reported. */
    readonly type: string | null
    /** The other half of its migration, where one request of its client shows it. */
    readonly swap: ConsumerSwap | null
  }
  readonly provider: {
    readonly id: string
    readonly name: string
    readonly generation: number | null
    /** Of its tree; null when it is gone. */
    readonly root: string | null
  }
  readonly host: Ref | null
  /** The migration that holds, or that is active for the instance, and on which side of it this is. */
  readonly migration: {
    readonly id: string
    readonly operation: Operation
    readonly side: 'source' | 'target' | null
  } | null
  /** CPUs and devices by name: `cpu:12`, `pci:0000:3b:02.1`. Empty where only amounts are held, and for the past. */
  readonly units: readonly string[]
  readonly amounts: readonly { readonly resourceClass: string; readonly amount: number }[]
  /** Null when no claim explains the allocation. */
  readonly claim: string | null
  readonly since: Ms
  /** The writing event; null when it was pruned, or when Berth did not write the row. */
  readonly wrote: {
    readonly seq: string
    readonly kind: string
    readonly who: string
    readonly request: string | null
    readonly reason: string | null
  } | null
  readonly findings: readonly { readonly id: string; readonly kind: FindingKind }[]
}

const listInput = object({
  q: query.optional(),
  host: hostId.optional(),
  instance: instanceId.optional(),
  provider: recordId('a provider').optional(),
  resourceClass: line('a resource class').optional(),
  odd: z.boolean({ error: 'expected true or false' }).optional(),
  at: pastTime.optional(),
  ...listed(LEDGER_LIST),
})

export const ledgerRouter = router({
  /** How many rows the most frequent filters match. */
  counts: viewer.query(({ ctx }): Promise<LedgerCounts> => countLedger(ctx.services.database)),

  /** Allocations by consumer and provider, with their writers. */
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<LedgerRow>> => {
    const { database, feed } = ctx.services
    if (input.at !== undefined) await refuseUnrecordedTime(ctx.services, input.at)
    const seq = String(feed.head)
    const { rows, total } = await listLedger(database, { ...input, q: input.q || undefined })
    return { rows: rows.map(ledgerRow), total, seq }
  }),
})

function ledgerRow(found: LedgerEntry): LedgerRow {
  const { consumer: id, consumerKind, consumerName, project, consumerGeneration } = found
  return {
    id: `${id} ${found.provider}`,
    consumer: {
      ...{ id, project },
      kind: consumerKind ?? 'other',
      name: consumerName ?? shortId(id),
      generation: consumerGeneration,
      type: found.consumerType === 'unknown' ? null : found.consumerType || null,
      swap: found.swap,
    },
    provider: {
      id: found.provider,
      name: found.providerName ?? shortId(found.provider),
      generation: found.providerGeneration,
      root: found.providerRoot,
    },
    host: found.host === null ? null : { id: found.host, name: found.hostName ?? shortId(found.host) },
    amounts: found.amounts.map(([resourceClass, amount]) => ({ resourceClass, amount })),
    migration: found.migration && { id: found.migration.id, operation: found.migration.operation, side: sideOf(found) },
    units: found.units,
    ...{ claim: found.claim, since: found.since, wrote: found.wrote, findings: found.findings },
  }
}

/** Within one host, the migration holds the old claim and the instance the new one. */
function sideOf({ migration, host, consumerKind }: LedgerEntry): 'source' | 'target' | null {
  if (migration === null || host === null) return null
  const { source, target } = migration
  if (source === target) return host === source ? (consumerKind === 'migration' ? 'source' : 'target') : null
  return host === source ? 'source' : host === target ? 'target' : null
}

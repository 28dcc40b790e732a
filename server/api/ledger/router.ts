import { z } from 'zod'
import { LEDGER_FIELDS, type LedgerFound, listLedger } from '../../store/claim/ledger'
import type { Page } from '../contract'
import type { LedgerRow, LedgerSort } from '../contract-look'
import { shortId } from '../names/names'
import { moment } from '../past/input'
import { refuseUnkept } from '../past/kept'
import { conditions, hostId, instanceId, line, object, paged, query, recordId } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'

const SORTS = ['consumer', 'provider', 'host', 'project', 'since'] as const satisfies LedgerSort[]
const listInput = object({
  q: query.optional(),
  host: hostId.optional(),
  instance: instanceId.optional(),
  provider: recordId('a provider').optional(),
  resourceClass: line('a resource class').optional(),
  odd: z.boolean({ error: 'expected true or false' }).optional(),
  at: moment.optional(),
  where: conditions(LEDGER_FIELDS),
  ...paged(SORTS),
})

export const ledgerRouter = router({
  /** Consumer × provider, with who wrote it. */
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<LedgerRow>> => {
    const { database, feed } = ctx.services
    if (input.at !== undefined) await refuseUnkept(ctx.services, input.at)
    const seq = String(feed.head)
    const { rows, total } = await listLedger(database, { ...input, q: input.q || undefined })
    return { rows: rows.map(ledgerRow), total, seq }
  }),
})

function ledgerRow(found: LedgerFound): LedgerRow {
  const { consumer: id, consumerKind, consumerName, project, consumerGeneration } = found
  return {
    id: `${id} ${found.provider}`,
    consumer: {
      ...{ id, project },
      kind: consumerKind ?? 'other',
      name: consumerName ?? shortId(id),
      generation: consumerGeneration,
      type: found.consumerType === 'unknown' ? null : found.consumerType || null,
    },
    provider: {
      id: found.provider,
      name: found.providerName ?? shortId(found.provider),
      generation: found.providerGeneration,
      root: found.providerRoot,
    },
    host: found.host === null ? null : { id: found.host, name: found.hostName ?? shortId(found.host) },
    amounts: found.amounts.map(([resourceClass, amount]) => ({ resourceClass, amount })),
    ...{ claim: found.claim, since: found.since, wrote: found.wrote, findings: found.findings },
  }
}

import { z } from 'zod'
import { MIGRATION_LIST } from '@/lists/migration'
import { OPERATIONS, OUTCOMES, REQUESTED_ACTIONS, WAITING_FOR } from '../../engine/migration/state'
import { countMigrations, listMigrations, readMigrations } from '../../store/migration/list'
import type { Page } from '../plain'
import { hostId, instanceId, listed, migrationId, object, oneOf, query, reason, someOf } from '../procedure/inputs'
import { operator, router, support, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import { consequencesOf, type MigrationConsequences } from './consequences'
import { type MigrationDetail, migrationDetail } from './detail'
import { type MigrationFact, migrationFacts } from './facts'
import { type StepHistoryView, slowMigrations, stepHistory } from './pace'
import { type ActionResult, requestActions } from './requested-action'
import { migrationRows } from './rows'
import { limitTransfer } from './transfer-limits'
import type { MigrationRow } from './view'

/**
 * flight: active or queued. waiting: for a decision, a host or a retry. overdue: longer in its step than the baseline.
 */
const VIEWS = ['flight', 'waiting', 'overdue', 'history', 'all'] as const
export type MigrationView = (typeof VIEWS)[number]

export interface MigrationCounts extends Readonly<Record<MigrationView, number>> {
  readonly notConverging: number
}

const REQUESTS_AT_ONCE = 200

const listInput = object({
  view: oneOf(VIEWS),
  q: query.optional(),
  operation: someOf(OPERATIONS),
  outcome: someOf(OUTCOMES),
  waitingFor: someOf(WAITING_FOR),
  host: hostId.optional(),
  instance: instanceId.optional(),
  ...listed(MIGRATION_LIST),
})
const ids = z
  .array(migrationId, { error: 'expected a list of ids of migrations' })
  .min(1, 'expected at least one migration')
  .max(REQUESTS_AT_ONCE, `expected at most ${REQUESTS_AT_ONCE} migrations at once`)
  .transform((list) => [...new Set(list)])

export const migrationRouter = router({
  list: viewer.input(listInput).query(async ({ ctx, input }): Promise<Page<MigrationRow>> => {
    const { services, caller } = ctx
    const seq = String(services.feed.head)
    const asked = input.view === 'overdue' || input.where?.some(({ key }) => key === 'state')
    const slow = asked ? await slowMigrations(services) : { overdue: [], notConverging: [] }
    const [overdue, notConverging] = [slow.overdue.map(({ id }) => id), slow.notConverging.map(({ id }) => id)]
    const { rows, total } = await listMigrations(services.database, { ...input, overdue, notConverging })
    return { rows: await migrationRows(services, rows, caller), total, seq }
  }),

  counts: viewer.query(async ({ ctx }): Promise<MigrationCounts> => {
    const { services } = ctx
    const [counts, slow] = await Promise.all([countMigrations(services.database), slowMigrations(services)])
    const { flight, waiting, history, all } = counts
    const { overdue, notConverging } = slow
    return { flight, waiting, overdue: overdue.length, notConverging: notConverging.length, history, all }
  }),

  byId: viewer.input(object({ id: migrationId })).query(async ({ ctx, input }): Promise<MigrationDetail> => {
    const { services, caller } = ctx
    const [found] = await readMigrations(services.database, [input.id])
    return found ? migrationDetail(services, found, caller) : refuseUnknown('migration', input.id)
  }),

  facts: viewer.input(object({ id: migrationId })).query(async ({ ctx, input }): Promise<readonly MigrationFact[]> => {
    const [found] = await readMigrations(ctx.services.database, [input.id])
    return found ? migrationFacts(ctx.services, found.migration) : refuseUnknown('migration', input.id)
  }),

  stepTimes: viewer.query(({ ctx }): Promise<StepHistoryView> => stepHistory(ctx.services)),

  consequences: support
    .input(object({ ids, requestedAction: oneOf(REQUESTED_ACTIONS) }))
    .query(({ ctx, input }): Promise<MigrationConsequences> => consequencesOf(ctx, input)),

  limitTransfer,

  /** Results are independent: a refused one does not stop the others. */
  requestAction: operator
    .on(object({ ids, requestedAction: oneOf(REQUESTED_ACTIONS), reason: reason.optional() }), (input) =>
      input.ids.map((id) => ({ of: 'migration', id })),
    )
    .mutation(({ ctx, input }): Promise<readonly ActionResult[]> => requestActions(ctx, input)),
})

import {
  type DrainMigration,
  type DrainOptions,
  type DrainStay,
  type DrainTry,
  planDrain,
} from '../../engine/cloud/drain/plan'
import { drainStep } from '../../engine/cloud/drain/step'
import { readDrainActions } from '../../store/cloud/action'
import { readCloud } from '../../store/cloud/cloud'
import { type CloudDrainRow, endCloudDrain, readDrainTries, readLatestCloudDrain } from '../../store/cloud/drain'
import { object, reason, recordId } from '../procedure/inputs'
import { actorOf, attributionOf, operator, router, support, viewer } from '../procedure/procedure'
import { needsApproval, propose } from '../proposal/propose'
import { refuseUnknown } from '../refusal/refused'
import { actionView, type CloudActionView } from './action-view'
import { checkDrain, drainFields, startDrain } from './change'
import type { WatchedCloud } from './clouds'
import { stateOf } from './state'
import { factsKnown } from './view'

// Drains of cloud hosts through Nova: plan, progress and end.

const host = { id: recordId('a cloud'), host: drainFields.host }
const options = { cold: drainFields.cold, most: drainFields.most }

export interface CloudDrainPlanView {
  readonly migrations: readonly DrainMigration[]
  readonly stays: readonly DrainStay[]
}

export interface CloudDrainView extends Omit<CloudDrainRow, 'cloud'> {
  readonly actions: readonly CloudActionView[]
}

/** The id of one of both. */
export interface CloudDrainAnswer {
  readonly drain: string | null
  /** The request that awaits a second person. */
  readonly proposal: string | null
}

export const cloudDrainRouter = router({
  /**
   * Nothing is sent, and Nova is not queried: it may choose or refuse otherwise. Null: the cloud does not list the
   * host.
   */
  plan: support
    .input(object({ ...host, ...options }))
    .query(async ({ ctx, input }): Promise<CloudDrainPlanView | null> => {
      const state = await stateOf(ctx, input.id)
      const facts = state && factsKnown(state)
      if (!facts?.services.has(input.host)) return null
      return planDrain(facts, { host: input.host, options: optionsOf(input), tries: [] })
    }),

  /** The newest of a host, going or ended. */
  ofHost: viewer.input(object(host)).query(async ({ ctx, input }): Promise<CloudDrainView | null> => {
    const { database } = ctx.services
    const [state, cloud, row] = await Promise.all([
      stateOf(ctx, input.id),
      readCloud(database, input.id),
      readLatestCloudDrain(database, input.id, input.host),
    ])
    if (row === null) return null
    const [rows, tries] = await Promise.all([readDrainActions(database, row.id), readDrainTries(database, row.id)])
    const { cloud: _, ...drain } = row
    const says = row.endedAt === null && cloud?.enabled === false ? UNWATCHED : progressText(row, state, tries)
    return { ...drain, says, actions: rows.map(actionView).reverse() }
  }),

  /** Disables its service first. Runs until the host is empty, or nothing more can be tried. */
  start: operator
    .on(object({ ...host, ...options, reason }), ({ id }) => [{ of: 'cloud', id }])
    .mutation(async ({ ctx, input }): Promise<CloudDrainAnswer> => {
      const { id: cloud, host, reason } = input
      const asked = { host, ...optionsOf(input) }
      if (!(await needsApproval(ctx.services, 'cloud'))) {
        const drain = await startDrain(ctx, { cloud, ...asked, attribution: attributionOf(ctx, reason) })
        return { drain, proposal: null }
      }
      await checkDrain(ctx, { cloud, ...asked })
      const request = { do: 'drain', does: `Drains ${host} through Nova.`, ...asked } as const
      const proposal = await propose(ctx, { kind: 'cloud', cloud, request, actor: actorOf(ctx, reason) })
      return { drain: null, proposal }
    }),

  /** Starts nothing more; active migrations continue, and the service stays disabled. */
  stop: operator
    .on(object({ ...host, reason }), ({ id }) => [{ of: 'cloud', id }])
    .mutation(async ({ ctx, input }): Promise<null> => {
      const { database } = ctx.services
      await stateOf(ctx, input.id)
      const row = await readLatestCloudDrain(database, input.id, input.host)
      const attribution = attributionOf(ctx, input.reason)
      const end = row && { id: row.id, state: 'stopped' as const, says: `Stopped: ${input.reason}` }
      return end && (await endCloudDrain(database, end, attribution)) ? null : refuseUnknown('drain', input.host)
    }),
})

const UNWATCHED = 'The cloud is not watched at present, so nothing is sent.'

function progressText(row: CloudDrainRow, state: WatchedCloud['state'], tries: readonly DrainTry[]): string | null {
  if (row.endedAt !== null || state === null) return row.says
  const { detail } = drainStep(factsKnown(state), { host: row.host, options: optionsOf(row), tries })
  return row.says === null ? detail : `${detail} ${row.says}`
}

const optionsOf = ({ cold, most }: DrainOptions): DrainOptions => ({ cold, most })

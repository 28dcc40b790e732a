import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { cloudName, cloudUpload } from '@/forms/cloud'
import {
  CLOUD_DRIFT_LIST,
  CLOUD_FINDING_LIST,
  CLOUD_HOST_LIST,
  CLOUD_INSTANCE_LIST,
  CLOUD_MIGRATION_LIST,
} from '@/lists/cloud'
import { fieldValuesOf, type List, type MemoryList } from '@/lists/list'
import { orderRows, type RowOrder, whereRows } from '@/lists/rows'
import { planRepairs } from '../../engine/cloud/plan'
import { scriptOf } from '../../engine/cloud/script'
import { changeCloud, readCloud, readClouds, removeCloud } from '../../store/cloud/cloud'
import type { ListQuery } from '../../store/database/condition'
import type { Page } from '../plain'
import { line, listed, object, reason, recordId } from '../procedure/inputs'
import {
  actorOf,
  admin,
  attributionOf,
  type CallerContext,
  operator,
  router,
  support,
  viewer,
} from '../procedure/procedure'
import { propose } from '../proposal/propose'
import { refuseUnknown } from '../refusal/refused'
import {
  addedOrRefuse,
  type CloudPlanView,
  type CloudScript,
  type CloudView,
  cloudView,
  planView,
  refuseFile,
} from './answers'
import { checkMayAct, REPAIR, repairNeedsApproval, sendRepair, shownRepair, UNAPPROVED } from './change'
import type { CloudChoice, CloudOutcomeView, CloudProbeReport, WatchedCloud } from './clouds'
import { driftRows } from './drift'
import { type CloudHostView, hostView } from './host-view'
import { stateOf } from './state'
import {
  type CloudFindingDetail,
  findingDetail,
  findingRows,
  findingsNamed,
  hostRows,
  instanceRows,
  migrationRows,
} from './view'

// Watched OpenStack clouds: what they report, what the audit finds there, and how to repair it.

const FINDING_MAX = 300
const FINDINGS_MAX = 1_000
const findingId = z.string({ error: 'expected a finding' }).max(FINDING_MAX, 'expected a finding')
const findings = z
  .array(findingId, { error: 'expected findings' })
  .max(FINDINGS_MAX, 'expected fewer findings')
  .optional()

const id = recordId('a cloud')
const cloud = { id }
const BY_NAME: RowOrder = { by: 'name', dir: 'asc' }
const listInput = <const L extends List>(list: L) => object({ ...cloud, ...listed(list) })

/** The outcome of each call of a repair. */
export interface CloudRepairAnswer {
  readonly outcomes: readonly CloudOutcomeView[]
  /** Id of the request that awaits a second person; no call was sent. */
  readonly proposal: string | null
}

export const cloudRouter = router({
  list: viewer.query(async ({ ctx }): Promise<readonly CloudView[]> => {
    const { clouds, database } = ctx.services
    const [rows, watched] = await Promise.all([readClouds(database), clouds.watched()])
    return rows.map((row) => cloudView(clouds, row, watched.get(row.id)))
  }),

  byId: viewer.input(object(cloud)).query(async ({ ctx, input }): Promise<CloudView> => {
    const { clouds, database } = ctx.services
    const [row, watched] = await Promise.all([readCloud(database, input.id), clouds.watched()])
    return row ? cloudView(clouds, row, watched.get(row.id)) : refuseUnknown('cloud', input.id)
  }),

  hosts: viewer.input(listInput(CLOUD_HOST_LIST)).query(pageOf(CLOUD_HOST_LIST, hostRows, BY_NAME)),

  /** With the map that the host's libvirt reports, read now. Null: Nova does not list such a host. */
  host: viewer
    .input(object({ ...cloud, host: line('the host') }))
    .query(async ({ ctx, input }): Promise<CloudHostView | null> => {
      const state = await stateOf(ctx, input.id)
      return state && hostView(state, input.host, ctx.services.clouds)
    }),

  /** The reports of Nova, Placement and libvirt on each instance, side by side. */
  drift: viewer.input(listInput(CLOUD_DRIFT_LIST)).query(pageOf(CLOUD_DRIFT_LIST, driftRows)),

  instances: viewer.input(listInput(CLOUD_INSTANCE_LIST)).query(pageOf(CLOUD_INSTANCE_LIST, instanceRows, BY_NAME)),

  migrations: viewer
    .input(listInput(CLOUD_MIGRATION_LIST))
    .query(pageOf(CLOUD_MIGRATION_LIST, migrationRows, { by: 'created', dir: 'desc' })),

  findings: viewer.input(listInput(CLOUD_FINDING_LIST)).query(pageOf(CLOUD_FINDING_LIST, findingRows)),

  /** With each witness's evidence, and what Berth would do. Null: it no longer exists. */
  finding: viewer
    .input(object({ ...cloud, finding: findingId }))
    .query(async ({ ctx, input }): Promise<CloudFindingDetail | null> => {
      const state = await stateOf(ctx, input.id)
      return state && findingDetail(state, input.finding)
    }),

  /** A dry run: nothing is sent. Without findings, of all. */
  plan: support.input(object({ ...cloud, findings })).query(async ({ ctx, input }): Promise<CloudPlanView | null> => {
    const state = await stateOf(ctx, input.id)
    return state && planView(planRepairs({ findings: findingsNamed(state, input.findings), snapshot: state.snapshot }))
  }),

  /** The same as a script of `openstack` commands. */
  script: support.input(object({ ...cloud, findings })).query(async ({ ctx, input }): Promise<CloudScript | null> => {
    const [row, state] = await Promise.all([readCloud(ctx.services.database, input.id), stateOf(ctx, input.id)])
    if (row === null || state === null) return null
    const plan = planRepairs({ findings: findingsNamed(state, input.findings), snapshot: state.snapshot })
    const text = scriptOf(plan, { cloud: row.name, connection: row.name })
    return { name: `repair-${row.name}.sh`, text }
  }),

  /** The calls of one finding, exactly as they were shown, or nothing. */
  repair: operator
    .on(object({ ...cloud, finding: findingId, print: line('the calls that were shown'), reason }), ({ id }) => [
      { of: 'cloud', id },
    ])
    .mutation(async ({ ctx, input }): Promise<CloudRepairAnswer> => {
      const { id: cloud, finding, print, reason } = input
      const asked = { cloud, finding, print }
      const { calls } = await shownRepair(ctx, asked)
      if (!(await repairNeedsApproval(ctx, calls))) {
        const outcomes = await sendRepair(ctx, { ...asked, attribution: attributionOf(ctx, reason) })
        return { outcomes, proposal: null }
      }
      await checkMayAct(ctx, { cloud, about: REPAIR })
      const does = calls.map((call) => call.does).join(' ')
      const request = { do: 'repair', does, finding, print } as const
      const proposal = await propose(ctx, { kind: 'cloud', cloud, request, actor: actorOf(ctx, reason) })
      return { outcomes: calls.map((call) => ({ does: call.does, did: 'not-sent', says: UNAPPROVED })), proposal }
    }),

  /** The clouds and regions in the files. Contacts no cloud. */
  choices: admin.everywhere.input(cloudUpload).mutation(({ ctx, input }): readonly CloudChoice[] => {
    const answer = ctx.services.clouds.choices(input)
    return answer.did === 'read' ? answer.clouds : refuseFile(answer.problems, READ)
  }),

  /** Reports step by step, with GETs and the sign-in only. A client that disconnects ends it. */
  probe: admin.everywhere.input(cloudUpload).mutation(({ ctx, input, signal }): AsyncIterable<CloudProbeReport> => {
    const answer = ctx.services.clouds.probe(input, signal)
    if (answer.did === 'began') return answer.reports
    if (answer.did === 'unread') return refuseFile(answer.problems, PROBE)
    throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: 'Too many clouds are being probed at the same time.' })
  }),

  /** Signs in once more, and refuses a cloud that does not answer. It is watched, and not acted on. */
  add: admin.everywhere
    .input(object({ name: cloudName, upload: cloudUpload, reason }))
    .mutation(async ({ ctx, input: { name, upload, reason } }): Promise<{ cloud: string }> => {
      const about = { what: `Add the cloud ${name}`, where: name, notChanged: 'Nothing was changed.' }
      const { clouds } = ctx.services
      return { cloud: addedOrRefuse(await clouds.add(name, upload, attributionOf(ctx, reason)), about) }
    }),

  change: admin
    .on(object({ ...cloud, enabled: flag('enabled'), mayAct: flag('may act'), reason }), ({ id }) => [
      { of: 'cloud', id },
    ])
    .mutation(async ({ ctx, input: { reason, ...change } }): Promise<null> => {
      const { database } = ctx.services
      return (await changeCloud(database, change, attributionOf(ctx, reason)))
        ? null
        : refuseUnknown('cloud', change.id)
    }),

  /** Berth deletes it, with everything read from it. The cloud itself is not changed. */
  remove: admin
    .on(object({ ...cloud, reason }), ({ id }) => [{ of: 'cloud', id }])
    .mutation(async ({ ctx, input }): Promise<null> => {
      const { database } = ctx.services
      const attribution = attributionOf(ctx, input.reason)
      return (await removeCloud(database, input.id, attribution)) ? null : refuseUnknown('cloud', input.id)
    }),
})

const PROBE = { what: 'Probe the cloud', notChanged: 'Nothing was changed.' }
const READ = { what: 'Read the files', notChanged: 'Nothing was changed.' }

function flag(what: string) {
  return z.boolean({ error: `expected whether it is ${what}` }).optional()
}

type CloudState = NonNullable<WatchedCloud['state']>

interface PageRequest extends ListQuery<string, string> {
  readonly id: string
}

/** Sorts rows of a cloud's state; without an order they keep their sequence. */
function pageOf<Row>(list: MemoryList<Row>, rows: (state: CloudState) => readonly Row[], defaultOrder?: RowOrder) {
  return async ({ ctx, input }: { ctx: CallerContext; input: PageRequest }): Promise<Page<Row>> => {
    const { where, order, sort, dir = 'asc', offset, limit } = input
    const seq = String(ctx.services.feed.head)
    const state = await stateOf(ctx, input.id)
    const fitting = state === null ? [] : whereRows(rows(state), where, fieldValuesOf(list))
    const otherwise = sort ? [{ by: sort, dir }] : defaultOrder ? [defaultOrder] : []
    const sorted = orderRows(fitting, order?.length ? order : otherwise, { columns: list.columns })
    return { rows: sorted.slice(offset, offset + limit), total: sorted.length, seq }
  }
}

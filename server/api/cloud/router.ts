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
import type { Condition } from '@/lists/condition'
import { fieldsOf, fieldValuesOf, type MemoryList, sortsOf } from '@/lists/list'
import { orderRows, type RowOrder, whereRows } from '@/lists/rows'
import { planRepairs } from '../../engine/cloud/plan'
import { scriptOf } from '../../engine/cloud/script'
import { changeCloud, readCloud, readClouds, removeCloud } from '../../store/cloud/cloud'
import type { Page } from '../plain'
import { line, listed, object, reason, recordId } from '../procedure/inputs'
import { admin, type CallerContext, momentOf, operator, router, support, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import {
  addedOr,
  appliedOr,
  type CloudPlanView,
  type CloudScript,
  type CloudView,
  cloudView,
  planView,
  refuseFile,
} from './answers'
import type { CloudChoice, CloudOutcomeView, CloudProbeReport, WatchedCloud } from './clouds'
import { type CloudDriftRow, driftRows } from './drift'
import { type CloudHostView, hostView } from './host-view'
import { stateOf } from './state'
import {
  type CloudFindingDetail,
  type CloudFindingRow,
  type CloudHostRow,
  type CloudInstanceRow,
  type CloudMigrationRow,
  callsShown,
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

  hosts: viewer
    .input(object({ ...cloud, where: conditions(fieldsOf(CLOUD_HOST_LIST)), ...paged(sortsOf(CLOUD_HOST_LIST)) }))
    .query(
      ({ ctx, input }): Promise<Page<CloudHostRow>> =>
        pageOf(ctx, input, { rows: hostRows, list: CLOUD_HOST_LIST, usual: 'name' }),
    ),

  /** With the map that the host's libvirt reports, read now. Null: Nova does not list such a host. */
  host: viewer
    .input(object({ ...cloud, host: line('the host') }))
    .query(async ({ ctx, input }): Promise<CloudHostView | null> => {
      const state = await stateOf(ctx, input.id)
      return state && hostView(state, input.host, ctx.services.clouds)
    }),

  /** What Nova, Placement and the libvirt of its hosts say of each instance, side by side. */
  drift: viewer
    .input(object({ ...cloud, where: conditions(fieldsOf(CLOUD_DRIFT_LIST)), ...paged(sortsOf(CLOUD_DRIFT_LIST)) }))
    .query(
      ({ ctx, input }): Promise<Page<CloudDriftRow>> =>
        pageOf(ctx, input, { rows: driftRows, list: CLOUD_DRIFT_LIST, usual: null }),
    ),

  instances: viewer
    .input(
      object({ ...cloud, where: conditions(fieldsOf(CLOUD_INSTANCE_LIST)), ...paged(sortsOf(CLOUD_INSTANCE_LIST)) }),
    )
    .query(
      ({ ctx, input }): Promise<Page<CloudInstanceRow>> =>
        pageOf(ctx, input, { rows: instanceRows, list: CLOUD_INSTANCE_LIST, usual: 'name' }),
    ),

  migrations: viewer
    .input(
      object({ ...cloud, where: conditions(fieldsOf(CLOUD_MIGRATION_LIST)), ...paged(sortsOf(CLOUD_MIGRATION_LIST)) }),
    )
    .query(
      ({ ctx, input }): Promise<Page<CloudMigrationRow>> =>
        pageOf(ctx, input, { rows: migrationRows, list: CLOUD_MIGRATION_LIST, usual: 'created', isNewestFirst: true }),
    ),

  findings: viewer
    .input(object({ ...cloud, where: conditions(fieldsOf(CLOUD_FINDING_LIST)), ...paged(sortsOf(CLOUD_FINDING_LIST)) }))
    .query(
      ({ ctx, input }): Promise<Page<CloudFindingRow>> =>
        pageOf(ctx, input, { rows: findingRows, list: CLOUD_FINDING_LIST, usual: null }),
    ),

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
    .mutation(async ({ ctx, input }): Promise<readonly CloudOutcomeView[]> => {
      const about = { what: 'Apply the repair', notChanged: 'Nothing was sent.' }
      const state = await stateOf(ctx, input.id)
      const calls = state && callsShown(state, input.finding, input.print)
      if (!calls) {
        const have = 'other ones, or the finding is gone'
        const refusal = { kind: 'changed-meanwhile', where: {}, need: 'the calls as they were shown', have } as const
        return refuse(refusal, { ...about, next: 'Read the finding again.' })
      }
      const { clouds } = ctx.services
      const moment = momentOf(ctx, input.reason)
      return appliedOr(await clouds.apply({ id: input.id, snapshot: state.snapshot, calls }, moment), about)
    }),

  /** Which clouds and regions the files have. Nothing is reached. */
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
    .mutation(async ({ ctx, input: { name, upload, reason: why } }): Promise<{ cloud: string }> => {
      const about = { what: `Add the cloud ${name}`, where: name, notChanged: 'Nothing was changed.' }
      const { clouds } = ctx.services
      return { cloud: addedOr(await clouds.add(name, upload, momentOf(ctx, why)), about) }
    }),

  change: admin
    .on(object({ ...cloud, enabled: flag('enabled'), mayAct: flag('may act'), reason }), ({ id }) => [
      { of: 'cloud', id },
    ])
    .mutation(async ({ ctx, input: { reason: why, ...change } }): Promise<null> => {
      const { database } = ctx.services
      return (await changeCloud(database, change, momentOf(ctx, why))) ? null : refuseUnknown('cloud', change.id)
    }),

  /** Berth deletes it, with everything read from it. The cloud itself is not changed. */
  remove: admin
    .on(object({ ...cloud, reason }), ({ id }) => [{ of: 'cloud', id }])
    .mutation(async ({ ctx, input }): Promise<null> => {
      const { database } = ctx.services
      const moment = momentOf(ctx, input.reason)
      return (await removeCloud(database, input.id, moment)) ? null : refuseUnknown('cloud', input.id)
    }),
})

const PROBE = { what: 'Probe the cloud', notChanged: 'Nothing was changed.' }
const READ = { what: 'Read the files', notChanged: 'Nothing was changed.' }

function flag(what: string) {
  return z.boolean({ error: `expected whether it is ${what}` }).optional()
}

type CloudState = NonNullable<WatchedCloud['state']>

interface PageRequest {
  readonly id: string
  readonly where?: readonly Condition[] | undefined
  readonly order?: readonly RowOrder[] | undefined
  readonly sort?: string | undefined
  readonly dir?: 'asc' | 'desc' | undefined
  readonly offset: number
  readonly limit: number
}

interface PageSource<Row> {
  readonly rows: (state: CloudState) => readonly Row[]
  readonly list: MemoryList<Row>
  /** The default order; null: unsorted. */
  readonly usual: string | null
  readonly isNewestFirst?: boolean
}

async function pageOf<Row>(
  ctx: CallerContext,
  { id: of, where, order, sort, dir = 'asc', offset, limit }: PageRequest,
  { rows, list, usual, isNewestFirst = false }: PageSource<Row>,
): Promise<Page<Row>> {
  const seq = String(ctx.services.feed.head)
  const state = await stateOf(ctx, of)
  const fitting = state === null ? [] : whereRows(rows(state), where, fieldValuesOf(list))
  const asked: readonly RowOrder[] = order?.length ? order : sort ? [{ by: sort, dir }] : []
  const by =
    asked.length > 0 || usual === null
      ? asked
      : [{ by: usual, dir: isNewestFirst ? ('desc' as const) : ('asc' as const) }]
  const sorted = orderRows(fitting, by, { columns: list.columns })
  return { rows: sorted.slice(offset, offset + limit), total: sorted.length, seq }
}

import { z } from 'zod'
import type { RunKind } from '../../engine/drain/plan'
import { listRuns, readRunDiffs } from '../../store/run/read'
import { namesOf } from '../names/read'
import { permitTo } from '../permit/subjects'
import { hostId, object, oneOf, reason, recordId } from '../procedure/inputs'
import { actorOf, mustBeAbleTo, operator, proposer, router, support, viewer } from '../procedure/procedure'
import { evacuationNeedsApproval, propose } from '../proposal/propose'
import { detailOf, namesInRun } from './detail'
import { type EvacuationPlan, type EvacuationView, evacuationPlan, evacuationView } from './evacuation'
import { RUN_CAPABILITIES } from './permits'
import { boundsOf } from './reach'
import { type RunDetail, type RunRow, runRow } from './view'
import { checkedStart, commandRun, commandRunMigration, planRun, runOr404, startRun } from './write'

const KINDS = ['drain', 'evacuation'] as const satisfies RunKind[]
const FALLBACKS = ['cold', 'stay', 'stop'] as const
const runId = recordId('a run')
const NUMBER = 'expected the number of a migration'
const HOST_NAME = 'expected the name of the host, as shown'

export const runRouter = router({
  list: viewer
    .input(object({ kind: oneOf(KINDS).optional(), host: hostId.optional() }).prefault({}))
    .query(async ({ ctx, input }): Promise<readonly RunRow[]> => {
      const [rows, names] = await Promise.all([listRuns(ctx.services.database, input), namesOf(ctx.services, [])])
      return rows.map((row) => runRow(row, { names, rights: ctx.caller, host: (id) => ctx.services.fleet.host(id) }))
    }),

  byId: viewer.input(object({ id: runId })).query(async ({ ctx, input }): Promise<RunDetail> => {
    const { services, caller } = ctx
    const whole = await runOr404(services, input.id)
    const [diffs, names] = await Promise.all([readRunDiffs(services.database, input.id), namesInRun(services, whole)])
    return detailOf(services, whole, { diffs, names, rights: caller })
  }),

  /** Support may plan an evacuation and propose it; a drain requires the right to start it. */
  plan: proposer
    .on(
      object({
        ...{ kind: oneOf(KINDS), host: hostId, fallback: oneOf(FALLBACKS), reason },
        helpers: z.boolean({ error: 'expected true or false' }),
      }),
      ({ host }) => [{ of: 'host', id: host }],
    )
    .mutation(async ({ ctx, signal, input }): Promise<{ run: string }> => {
      const { kind, host, fallback, helpers, reason } = input
      const capability = RUN_CAPABILITIES[kind]
      await mustBeAbleTo(ctx, capability, [{ of: 'host', id: host }])
      const within = boundsOf(ctx.caller, capability)
      return planRun(ctx.services, {
        kind,
        host,
        fallback,
        others: helpers,
        within,
        actor: actorOf(ctx, reason),
        signal,
      })
    }),

  /**
   * Starting a drain disables the host with the reason. An evacuation needs a host that is fenced or lost; for a silent
   * one `attest`, the typed name of the host, marks it as fenced.
   */
  start: proposer
    .on(
      object({ id: runId, reason, attest: z.string({ error: HOST_NAME }).max(200, HOST_NAME).optional() }),
      ({ id }) => [{ of: 'run', id, reach: true }],
    )
    .mutation(async ({ ctx, input }): Promise<{ acceptedAt: number; proposal?: string }> => {
      const { services, caller } = ctx
      const action = { id: input.id, attest: input.attest, actor: actorOf(ctx, input.reason) }
      const { run } = await runOr404(services, input.id)
      if (run.kind === 'drain') await mustBeAbleTo(ctx, 'operate', [{ of: 'run', id: run.id, reach: true }])
      const mayStart = await permitTo(services, { rights: caller, capability: 'operate' }, [
        { of: 'run', id: run.id, reach: true },
      ])
      if (run.kind === 'drain' || !(await evacuationNeedsApproval(services, run.host, mayStart)))
        return startRun(services, action)
      const { host } = await checkedStart(services, action)
      const asked = { kind: 'evacuation', plan: run.id, host: host.id, actor: action.actor } as const
      return { acceptedAt: services.now(), proposal: await propose(ctx, asked) }
    }),

  /** To pause a run, the right on its host suffices. */
  control: operator
    .on(object({ id: runId, do: oneOf(['pause', 'resume', 'stop', 'replan']) }), ({ id, do: verb }) => [
      { of: 'run', id, reach: verb === 'resume' || verb === 'replan' },
    ])
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      return commandRun(ctx.services, { ...input, actor: actorOf(ctx) })
    }),

  controlMigration: operator
    .on(
      object({
        ...{ id: runId, do: oneOf(['skip', 'retry', 'first']) },
        n: z.number({ error: NUMBER }).int(NUMBER).min(1, NUMBER).max(1e6, NUMBER),
        method: oneOf(['live-migrate', 'cold-migrate', 'stay']).optional(),
      }),
      ({ id }) => [{ of: 'run', id, reach: true }],
    )
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      return commandRunMigration(ctx.services, { ...input, method: input.method, actor: actorOf(ctx) })
    }),

  evacuation: support.input(object({ host: hostId })).query(({ ctx, input }): Promise<EvacuationView> => {
    return evacuationView(ctx.services, input.host, ctx.caller)
  }),

  evacuationPlan: support.input(object({ host: hostId })).query(({ ctx, input }): Promise<EvacuationPlan> => {
    return evacuationPlan(ctx.services, input.host, ctx.caller)
  }),
})

import { z } from 'zod'
import type { RunKind } from '../../engine/drain/ask'
import { listRuns, readRunDiffs } from '../../store/run/read'
import { namesOf } from '../names/read'
import { hostId, object, oneOf, reason, recordId } from '../procedure/inputs'
import { actorOf, mustBeAbleTo, operator, proposer, router, support, viewer } from '../procedure/procedure'
import { mustAskToEvacuate, proposeEvacuation } from '../proposal/propose'
import { detailOf, namesInRun } from './detail'
import { type EvacuationPlan, type EvacuationView, evacuationPlan, evacuationView } from './evacuation'
import { type RunDetail, type RunRow, runRow } from './view'
import { checkedStart, planRun, runOr404, startRun, steerMove, steerRun } from './write'

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
      return rows.map((row) => runRow(row, names, ctx.caller.role))
    }),

  byId: viewer.input(object({ id: runId })).query(async ({ ctx, input }): Promise<RunDetail> => {
    const { services, caller } = ctx
    const whole = await runOr404(services, input.id)
    const [diffs, names] = await Promise.all([readRunDiffs(services.database, input.id), namesInRun(services, whole)])
    return detailOf(services, whole, { diffs, names, role: caller.role })
  }),

  /** Support may plan an evacuation and ask for it; a drain is for whoever may start it. */
  plan: proposer
    .input(
      object({
        ...{ kind: oneOf(KINDS), host: hostId, fallback: oneOf(FALLBACKS), reason },
        helpers: z.boolean({ error: 'expected true or false' }),
      }),
    )
    .mutation(({ ctx, signal, input: { kind, host, fallback, helpers, reason: why } }): Promise<{ run: string }> => {
      if (kind === 'drain') mustBeAbleTo(ctx.caller, 'steer')
      return planRun(ctx.services, { kind, host, fallback, others: helpers, actor: actorOf(ctx, why), signal })
    }),

  /**
   * Starting a drain disables the host with the reason. An evacuation needs a host that is fenced or gone; of a silent one
   * `attest`, the host's name typed, states it fenced.
   */
  start: proposer
    .input(object({ id: runId, reason, attest: z.string({ error: HOST_NAME }).max(200, HOST_NAME).optional() }))
    .mutation(async ({ ctx, input }): Promise<{ acceptedAt: number; proposal?: string }> => {
      const { services, caller } = ctx
      const action = { id: input.id, attest: input.attest, actor: actorOf(ctx, input.reason) }
      const { run } = await runOr404(services, input.id)
      if (run.kind === 'drain') mustBeAbleTo(caller, 'steer')
      if (run.kind === 'drain' || !(await mustAskToEvacuate(services, run.host, caller.role)))
        return startRun(services, action)
      const { host } = await checkedStart(services, action)
      const asked = { run: run.id, host: host.id, actor: action.actor }
      return { acceptedAt: services.now(), proposal: await proposeEvacuation(services, asked) }
    }),

  steer: operator
    .input(object({ id: runId, do: oneOf(['pause', 'resume', 'stop', 'replan']) }))
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      return steerRun(ctx.services, { ...input, actor: actorOf(ctx) })
    }),

  steerMove: operator
    .input(
      object({
        ...{ id: runId, do: oneOf(['skip', 'retry', 'first']) },
        n: z.number({ error: NUMBER }).int(NUMBER).min(1, NUMBER).max(1e6, NUMBER),
        method: oneOf(['live-migrate', 'cold-migrate', 'stay']).optional(),
      }),
    )
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      return steerMove(ctx.services, { ...input, method: input.method, actor: actorOf(ctx) })
    }),

  evacuation: support.input(object({ host: hostId })).query(({ ctx, input }): Promise<EvacuationView> => {
    return evacuationView(ctx.services, input.host, ctx.caller)
  }),

  evacuationPlan: support.input(object({ host: hostId })).query(({ ctx, input }): Promise<EvacuationPlan> => {
    return evacuationPlan(ctx.services, input.host, ctx.caller)
  }),
})

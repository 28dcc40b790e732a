import { z } from 'zod'
import { SUBJECTS } from '../../engine/cloud/action/action'
import { readLatestCloudActions } from '../../store/cloud/action'
import { readFences } from '../../store/cloud/fence'
import { line, object, reason, recordId } from '../procedure/inputs'
import { actorOf, attributionOf, operator, router, support, viewer } from '../procedure/procedure'
import { needsApproval, propose } from '../proposal/propose'
import { refuse } from '../refusal/refused'
import {
  actionView,
  type CloudActionPreview,
  type CloudActionView,
  type CloudSubjectView,
  explained,
  fenceView,
  offersIn,
  requestOf,
} from './action-view'
import {
  actionFields,
  checkMayAct,
  fencedSince,
  requestedActionOf,
  SENDING,
  sendAction,
  setFence,
  UNAPPROVED,
  word,
} from './change'
import type { CloudOutcomeView } from './clouds'
import { stateOf } from './state'

// Actions that users have Nova perform: what is offered, what it would do, and how far a requested one is.

const cloud = { id: recordId('a cloud') }
const action = { ...cloud, ...actionFields }

/** Either the call was sent, or nothing was and its approval is requested. */
export interface CloudActionAnswer extends CloudOutcomeView {
  /** Id of the request that awaits a second person. */
  readonly proposal: string | null
}

export const cloudActionRouter = router({
  /** For one subject. Null: the cloud does not list it, or nothing was read yet. */
  offers: viewer
    .input(object({ ...cloud, kind: word(SUBJECTS, 'a kind'), subject: actionFields.subject }))
    .query(async ({ ctx, input }): Promise<CloudSubjectView | null> => {
      const { database } = ctx.services
      const state = await stateOf(ctx, input.id)
      const offers = state && offersIn(state, input.kind, input.subject)
      if (offers === null) return null
      const [actions, fences] = await Promise.all([
        readLatestCloudActions(database, input.id, input.subject),
        input.kind === 'host' ? readFences(database, input.id) : [],
      ])
      const fence = fenceView(fences.find(({ host }) => host === input.subject))
      return { ...offers, actions: actions.map(actionView), fence }
    }),

  /** For the whole cloud, newest first. */
  latest: viewer
    .input(object(cloud))
    .query(
      async ({ ctx, input }): Promise<readonly CloudActionView[]> =>
        (await readLatestCloudActions(ctx.services.database, input.id, null)).map(actionView),
    ),

  explain: support.input(object(action)).query(async ({ ctx, input }): Promise<CloudActionPreview | null> => {
    const state = await stateOf(ctx, input.id)
    return state && explained(state, requestedActionOf(input, ''))
  }),

  /** Sends the call that was shown, or nothing. Its result is read afterwards. */
  request: operator
    .on(object({ ...action, print: line('the call that was shown'), reason }), ({ id }) => [{ of: 'cloud', id }])
    .mutation(async ({ ctx, input }): Promise<CloudActionAnswer> => {
      const state = await stateOf(ctx, input.id)
      const request = state && requestOf(state, requestedActionOf(input, input.reason), input.print)
      if (request === null) {
        const have = 'a different call or none'
        const next = 'Read what the action would do again.'
        return refuse('changed-meanwhile', { ...SENDING, need: 'the call as it was shown', have, next })
      }
      if (await needsApproval(ctx.services, 'cloud')) {
        await checkMayAct(ctx, { cloud: input.id, about: SENDING })
        const { id, print: _, reason: why, ...asked } = input
        const { does } = request.call
        const made = { cloud: id, request: { do: 'act', does, ...asked }, actor: actorOf(ctx, why) } as const
        return { does, did: 'not-sent', says: UNAPPROVED, proposal: await propose(ctx, { kind: 'cloud', ...made }) }
      }
      const sent = await sendAction(ctx, { id: input.id, ...request }, attributionOf(ctx, input.reason))
      return { ...sent, proposal: null }
    }),

  /** An operator attests that it is powered off, or withdraws that. */
  fence: operator
    .on(
      object({ ...cloud, host: line('a host'), fenced: z.boolean({ error: 'expected whether it is fenced' }), reason }),
      ({ id }) => [{ of: 'cloud', id }],
    )
    .mutation(async ({ ctx, input }): Promise<{ proposal: string | null }> => {
      const { id: cloud, host, fenced, reason } = input
      if (!fenced || !(await needsApproval(ctx.services, 'fenced'))) {
        await setFence(ctx, { cloud, host, fenced, attribution: attributionOf(ctx, reason) })
        return { proposal: null }
      }
      await fencedSince(ctx, { cloud, host })
      const request = { do: 'fence', does: `Marks ${host} as fenced, attested as powered off.`, host } as const
      return { proposal: await propose(ctx, { kind: 'cloud', cloud, request, actor: actorOf(ctx, reason) }) }
    }),
})

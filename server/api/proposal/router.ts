import { z } from 'zod'
import type { Actor } from '../../engine/change'
import { HOST_STATUSES } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import {
  decideProposal,
  listProposals,
  noteCarriedOut,
  noteRunning,
  type ProposalRow,
  readProposal,
  reopenProposal,
} from '../../store/proposal/proposal'
import { performChange, storedChange } from '../cloud/change'
import { releaseConsumer } from '../consumer/release'
import { requestFencing } from '../fencing/fence'
import { applyApproved } from '../heal/apply'
import { setHostStatus } from '../host/state'
import { namesOf, refusalViews } from '../names/read'
import { hostId, object, oneOf, reason, recordId } from '../procedure/inputs'
import { actorOf, type CallerContext, proposer, router, viewer } from '../procedure/procedure'
import { RefusalError, refuse, refuseUnknown } from '../refusal/refused'
import type { RefusalView } from '../refusal/view'
import { startRun } from '../run/write'
import type { ApiServices } from '../services'
import {
  approvalPermit,
  isProposer,
  type ProposalState,
  type ProposalView,
  proposalView,
  proposeStatus,
} from './propose'

// Actions that await two-person approval: propose, list, approve or reject.

const STATES = ['open', 'running', 'approved', 'refused', 'withdrawn', 'expired'] as const satisfies (
  | ProposalState
  | 'running'
)[]
const LISTED = 200
const decideInput = object({
  id: recordId('a proposal'),
  approve: z.boolean({ error: 'expected true or false' }),
  reason,
})

export const proposalRouter = router({
  list: viewer
    .input(object({ state: oneOf(STATES).optional() }).prefault({}))
    .query(async ({ ctx, input }): Promise<readonly ProposalView[]> => {
      const { services, caller } = ctx
      const ask = { state: input.state ?? null, now: services.now(), limit: LISTED }
      const rows = await listProposals(services.database, ask)
      const names = await namesOf(
        services,
        rows.flatMap(({ consumer }) => consumer ?? []),
      )
      return Promise.all(rows.map((row) => proposalView(services, row, { names, caller })))
    }),

  create: proposer
    .on(object({ host: hostId, status: oneOf(HOST_STATUSES), reason }), ({ host }) => [{ of: 'host', id: host }])
    .mutation(async ({ ctx, input }): Promise<{ proposal: string }> => {
      const { host, status } = input
      return { proposal: await proposeStatus(ctx, { host, status, actor: actorOf(ctx, input.reason) }) }
    }),

  /**
   * The proposer may only withdraw it. A proposal that cannot be carried out now stays open, with the reason; one that
   * was carried out in part is approved, with the reason why the rest was not.
   */
  decide: proposer
    .on(decideInput, ({ id }) => [{ of: 'proposal', id }])
    .mutation(async ({ ctx, input }): Promise<{ state: ProposalState; refusal: RefusalView | null }> => {
      const { services, caller } = ctx
      const row = await readProposal(services.database, input.id, services.now())
      if (!row) return refuseUnknown('approval request', input.id)
      const withdrawn = !input.approve && isProposer(row, caller)
      const permit = await approvalPermit(services, row, caller)
      if (!permit.ok && !(withdrawn && row.state === 'open')) return refuseDecision(permit.why)
      const state = input.approve ? 'approved' : withdrawn ? 'withdrawn' : 'refused'
      const actor = actorOf(ctx, input.reason)
      if (!(await decideProposal(services.database, { id: row.id, state, actor, at: services.now() }))) {
        return refuseDecision('Somebody else has just decided it.')
      }
      return input.approve ? execute(ctx, row, actor) : { state, refusal: null }
    }),
})

function refuseDecision(why: string): never {
  refuse('not-permitted', { need: 'a second person', have: why, what: 'Decide the request' })
}

/** In the proposer's name, with the approver's name: the audit log has both. */
async function execute(ctx: CallerContext, row: ProposalRow, approver: Actor) {
  const { services } = ctx
  const words = `${row.reason} (approved by ${approver.who}: ${approver.reason})`
  const actor: Actor = { who: row.by, request: ctx.requestId, reason: words }
  let left: Refusal | null
  try {
    left = await whileNoted(services, row.id, () => perform(ctx, row, { actor, approvedBy: approver.who }))
  } catch (error) {
    await reopenProposal(services.database, { id: row.id, actor: approver, at: services.now() })
    if (!(error instanceof RefusalError)) throw error
    return { state: 'open' as const, refusal: await viewOf(services, error.refusals) }
  }
  await noteCarriedOut(services.database, row.id, { actor: approver, at: services.now() })
  return { state: 'approved' as const, refusal: await viewOf(services, left === null ? [] : [left]) }
}

const NOTE_MS = 30_000

/** A repair of many calls to a slow cloud takes longer than the time after which a request is open again. */
async function whileNoted<T>({ database, now, log }: ApiServices, id: string, work: () => Promise<T>): Promise<T> {
  const note = () =>
    noteRunning(database, id, now()).catch((error) => log.error({ error }, 'a running approval could not be noted'))
  const timer = setInterval(note, NOTE_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const viewOf = async (services: ApiServices, refusals: readonly Refusal[]): Promise<RefusalView | null> =>
  (await refusalViews(services, refusals))[0] ?? null

interface Approval {
  readonly actor: Actor
  readonly approvedBy: string
}

/** Throws the refusal if nothing of it was done. Returns why a part was not, or null. */
async function perform(
  { services }: CallerContext,
  row: ProposalRow,
  { actor, approvedBy }: Approval,
): Promise<Refusal | null> {
  if (row.kind === 'heal') return applyApproved(services, { plan: row.plan ?? '', parts: row.parts, actor })
  if (row.kind === 'cloud') {
    const change = storedChange(row.request) ?? refuseUnknown('action', row.id)
    return performChange({ services }, { cloud: row.cloud ?? '', change, attribution: { actor, at: services.now() } })
  }
  await performWhole(services, row, { actor, approvedBy })
  return null
}

async function performWhole(
  services: ApiServices,
  row: ProposalRow,
  { actor, approvedBy }: Approval,
): Promise<unknown> {
  if (row.kind === 'release') {
    const shown = { consumer: row.consumer ?? '', generation: row.generation ?? 0, writtenAt: row.writtenAt }
    return releaseConsumer(services, { ...shown, actor })
  }
  const approved = { proposal: row.id, proposedBy: row.by, approvedBy }
  if (row.kind === 'evacuation') {
    // The proposer has entered the host's name.
    const attest = services.fleet.host(row.host as HostId)?.name
    return startRun(services, { id: row.plan ?? '', actor, attest, approved })
  }
  if (row.kind === 'fencing') return requestFencing(services, { host: row.host as HostId, actor, approved })
  return setHostStatus(services, { id: row.host as HostId, action: row.status ?? 'down', actor, approved })
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Attribution } from '../../engine/change'
import { type ActionInput, CLOUD_ACTION_KINDS, RESET_STATES, STORAGE_MODES } from '../../engine/cloud/action/action'
import type { RequestedCloudAction } from '../../engine/cloud/action/prepare'
import type { CloudCall } from '../../engine/cloud/repair'
import type { Refusal } from '../../engine/words/refusal'
import { readCloud } from '../../store/cloud/cloud'
import { startCloudDrain } from '../../store/cloud/drain'
import { fenceHost, unfenceHost } from '../../store/cloud/fence'
import { line, object } from '../procedure/inputs'
import type { CallerContext } from '../procedure/procedure'
import { needsApproval } from '../proposal/propose'
import { type RefusalContext, refuse, refuseUnknown } from '../refusal/refused'
import { offersIn, requestNow } from './action-view'
import { outcomesOrRefuse } from './answers'
import type { CloudActionRequest, CloudOutcomeView } from './clouds'
import { stateOf } from './state'
import { callsShown, factsKnown } from './view'

// What users request from Nova: performed at once, or stored until a second person has approved it.

export const word = <const Words extends readonly [string, ...string[]]>(words: Words, what: string) =>
  z.enum(words, { error: `expected ${what}: ${words.join(', ')}` })

/** What happened to a call that awaits a second person. */
export const UNAPPROVED = 'A second person has to approve it first.'

const MAX_CONCURRENT_MIGRATIONS = 50

export const actionFields = {
  verb: word(CLOUD_ACTION_KINDS, 'an action'),
  subject: line('an instance, a migration or a host'),
  host: line('a host').nullish(),
  storage: word(STORAGE_MODES, 'a storage mode').optional(),
  flavor: line('a flavor').nullish(),
  state: word(RESET_STATES, 'a state').optional(),
}

export const drainFields = {
  host: line('a host'),
  cold: z.boolean({ error: 'expected whether instances may be migrated cold' }),
  most: z
    .int({ error: 'expected how many migrations may run at the same time' })
    .min(1, 'expected at least one')
    .max(MAX_CONCURRENT_MIGRATIONS, `expected at most ${MAX_CONCURRENT_MIGRATIONS}`),
}

/** `does`: as the proposer and the approver read it. */
const cloudChange = z.discriminatedUnion('do', [
  object({ do: z.literal('act'), does: z.string(), ...actionFields }),
  object({ do: z.literal('drain'), does: z.string(), ...drainFields }),
  object({ do: z.literal('fence'), does: z.string(), host: drainFields.host }),
  object({ do: z.literal('repair'), does: z.string(), finding: z.string(), print: z.string() }),
])
export type CloudChange = z.infer<typeof cloudChange>

/** Null: it cannot be read. */
export const storedChange = (request: unknown): CloudChange | null => cloudChange.safeParse(request).data ?? null

interface ActionFields
  extends Pick<RequestedCloudAction, 'verb' | 'subject'>,
    Partial<Pick<ActionInput, 'storage' | 'state'>> {
  readonly host?: string | null | undefined
  readonly flavor?: string | null | undefined
}

export function requestedActionOf(asked: ActionFields, why: string): RequestedCloudAction {
  const { verb, subject, host = null, storage = 'auto', flavor = null, state = 'active' } = asked
  return { verb, subject, input: { host, storage, flavor, state, reason: why } }
}

type Performer = Pick<CallerContext, 'services'>

/**
 * In the proposer's name, by the present state of the cloud. Refused if nothing was sent; otherwise returns why a part was
 * not, or null.
 */
export async function performChange(
  { services }: Performer,
  {
    cloud,
    change,
    attribution,
  }: { readonly cloud: string; readonly change: CloudChange; readonly attribution: Attribution },
): Promise<Refusal | null> {
  switch (change.do) {
    case 'drain':
      await startDrain({ services }, { cloud, ...change, attribution })
      return null
    case 'fence':
      await setFence({ services }, { cloud, host: change.host, fenced: true, attribution })
      return null
    case 'repair': {
      const outcomes = await sendRepair({ services }, { cloud, ...change, attribution })
      return mustBeSent(change.does, outcomes)
    }
    default:
      return performAction({ services }, { cloud, change, attribution })
  }
}

/** One that was not sent, or refused, leaves the request open, with the reason. Returns why a later one was not sent. */
function mustBeSent(does: string, outcomes: readonly CloudOutcomeView[]): Refusal | null {
  if (outcomes.some(({ did }) => did === 'sent' || did === 'unknown')) {
    const left = outcomes.find(({ did }) => did === 'refused' || did === 'not-sent')
    const have = left && `${left.does} ${left.says}`
    return have === undefined ? null : { kind: 'changed-meanwhile', where: {}, need: 'all calls to be sent', have }
  }
  const have = outcomes[0]?.says ?? 'none was sent'
  return refuse('changed-meanwhile', {
    ...aboutSending(does),
    need: 'a call that the cloud accepts',
    have,
    next: AGAIN,
  })
}

const aboutSending = (what: string) => ({ what, notChanged: 'Nothing was sent.' })
export const SENDING = aboutSending('Send the call to the cloud')
const AGAIN = 'Read what it would do now, and request it again.'

interface ChangeRequest<Change extends CloudChange> {
  readonly cloud: string
  readonly change: Change
  readonly attribution: Attribution
}

async function performAction(
  { services }: Performer,
  { cloud, change, attribution }: ChangeRequest<Extract<CloudChange, { do: 'act' }>>,
): Promise<Refusal | null> {
  const { does } = change
  const about = aboutSending(does)
  const state = await stateOf({ services }, cloud)
  const asked = requestedActionOf(change, attribution.actor.reason ?? '')
  const request = state === null ? 'Nothing was read of the cloud yet.' : requestNow(state, asked)
  const next = AGAIN
  if (typeof request === 'string')
    return refuse('changed-meanwhile', { ...about, need: 'an action that is possible', have: request, next })
  if (request.call.does !== does)
    return refuse('changed-meanwhile', { ...about, need: does, have: request.call.does, next })
  return mustBeSent(does, [await sendAction({ services }, { ...request, id: cloud }, attribution)])
}

interface RequestedRepair {
  readonly cloud: string
  readonly finding: string
  readonly print: string
}

/** The calls as they were shown, or a refusal. */
export async function shownRepair({ services }: Performer, { cloud, finding, print }: RequestedRepair) {
  const state = await stateOf({ services }, cloud)
  const calls = state && callsShown(state, finding, print)
  if (calls) return { snapshot: state.snapshot, calls }
  const have = 'other ones, or the finding is gone'
  const context = { ...REPAIR, need: 'the calls as they were shown', have, next: 'Read the finding again.' }
  return refuse('changed-meanwhile', context)
}

/** A repair may also evacuate, reboot or confirm: it must not stand in for an action of Nova. */
export const repairNeedsApproval = async ({ services }: Performer, calls: readonly CloudCall[]): Promise<boolean> =>
  (await needsApproval(services, 'heal')) ||
  (calls.some(({ service }) => service === 'nova') && (await needsApproval(services, 'cloud')))

export const REPAIR = { what: 'Apply the repair', notChanged: 'Nothing was sent.' }

export async function sendRepair(
  { services }: Performer,
  { attribution, ...asked }: RequestedRepair & { readonly attribution: Attribution },
): Promise<readonly CloudOutcomeView[]> {
  const { snapshot, calls } = await shownRepair({ services }, asked)
  return outcomesOrRefuse(await services.clouds.apply({ id: asked.cloud, snapshot, calls }, attribution), REPAIR)
}

interface RequestedFence {
  readonly cloud: string
  readonly host: string
}

/** The cloud's clock when it was read; refused if it does not list the host. */
export async function fencedSince({ services }: Performer, { cloud, host }: RequestedFence): Promise<number> {
  const state = await stateOf({ services }, cloud)
  if (state === null || offersIn(state, 'host', host) === null) return refuseUnknown('host', host)
  return state.snapshot.now
}

/** Attests that a host is powered off, or withdraws that. */
export async function setFence(
  { services }: Performer,
  { fenced, attribution, ...asked }: RequestedFence & { readonly fenced: boolean; readonly attribution: Attribution },
): Promise<void> {
  const since = await fencedSince({ services }, asked)
  const { database } = services
  if (fenced) await fenceHost(database, { ...asked, since }, attribution)
  else if (!(await unfenceHost(database, { ...asked, since: null }, attribution))) refuseUnknown('host', asked.host)
}

/** Stored and followed, whatever its outcome is. */
export async function sendAction(
  { services }: Performer,
  request: CloudActionRequest,
  attribution: Attribution,
): Promise<CloudOutcomeView> {
  const [outcome] = outcomesOrRefuse(await services.clouds.act(request, attribution), SENDING)
  return outcome ?? { does: request.call.does, did: 'not-sent', says: '' }
}

interface RequestedDrain {
  readonly cloud: string
  readonly host: string
  readonly cold: boolean
  readonly most: number
}

/** Throws a refusal if it could not be started now. */
export async function checkDrain({ services }: Performer, { cloud, host }: RequestedDrain): Promise<void> {
  const state = await stateOf({ services }, cloud)
  if (state === null || !factsKnown(state).services.has(host)) return refuseUnknown('host', host)
  await checkMayAct({ services }, { cloud, about: drainContext(host) })
}

/** Throws the refusal that a call would get now, so that a second person approves nothing that cannot be sent. */
export async function checkMayAct(
  { services }: Performer,
  { cloud, about }: { readonly cloud: string; readonly about: RefusalContext },
): Promise<void> {
  const row = await readCloud(services.database, cloud)
  if (!row?.mayAct) outcomesOrRefuse({ did: row === null ? 'gone' : 'read-only' }, about)
  else if (!row.enabled) outcomesOrRefuse({ did: 'unwatched' }, about)
}

/** Returns its id. */
export async function startDrain(
  { services }: Performer,
  { attribution, ...asked }: RequestedDrain & { readonly attribution: Attribution },
): Promise<string> {
  await checkDrain({ services }, asked)
  const { cloud, host, cold, most } = asked
  const id = randomUUID()
  if (await startCloudDrain(services.database, { id, cloud, host, cold, most }, attribution)) return id
  const next = 'Check the active drain, or stop it.'
  return refuse('wrong-state', {
    ...drainContext(host),
    need: 'a host that is not being drained',
    have: 'being drained',
    next,
  })
}

const drainContext = (host: string) => ({ what: `Drain ${host}`, where: host, notChanged: 'Nothing was sent.' })

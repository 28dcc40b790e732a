import { type ActionSubject, type CloudActionKind, type SubjectKind, subjectOf } from '../../engine/cloud/action/action'
import { type Destination, destinationsOf, UNCHECKED } from '../../engine/cloud/action/destinations'
import { callOf, inputRefusal, type OfferedAction, offersFor, refusalOf } from '../../engine/cloud/action/offer'
import { prepareAction, type RequestedCloudAction } from '../../engine/cloud/action/prepare'
import { CLOUD_ACTIONS } from '../../engine/cloud/action/table'
import { migrationEvidence, serverEvidence, serviceEvidence } from '../../engine/cloud/evidence'
import { rowsOf } from '../../engine/cloud/facts'
import { novaProgress } from '../../engine/cloud/migration-status'
import type { CloudFlavor } from '../../engine/cloud/snapshot'
import type { CloudActionRow } from '../../store/cloud/action'
import type { CloudFence } from '../../store/cloud/fence'
import type { Ms } from '../plain'
import type { CloudActionRequest, WatchedCloud } from './clouds'
import { type CloudCallView, callsFingerprint, callView, factsKnown } from './view'

// Possible and past actions on an instance, a migration or a host of a cloud.

type CloudState = NonNullable<WatchedCloud['state']>

/** A requested action, and its progress. */
export interface CloudActionView {
  readonly id: string
  readonly verb: CloudActionKind
  readonly subject: string
  readonly name: string
  readonly state: CloudActionRow['state']
  readonly says: string | null
  readonly who: string
  readonly reason: string | null
  readonly askedAt: Ms
  readonly endedAt: Ms | null
}

/** For a migrating instance, also those of its migration. */
export interface CloudOffer extends OfferedAction {
  readonly subject: string
}

export interface CloudSubjectView {
  readonly name: string
  /** What Nova reports about it, in its words. */
  readonly says: string
  readonly offers: readonly CloudOffer[]
  readonly actions: readonly CloudActionView[]
  /** For a host attested to be powered off. */
  readonly fence: Pick<CloudFence, 'who' | 'reason' | 'since'> | null
}

export const fenceView = (fence: CloudFence | undefined): CloudSubjectView['fence'] =>
  fence === undefined ? null : { who: fence.who, reason: fence.reason, since: fence.since }

/** What an action would do, before it is requested. */
export interface CloudActionPreview {
  /** Why it is refused as it was chosen; null: it can be sent. */
  readonly why: string | null
  readonly isDangerous: boolean
  readonly fields: readonly string[]
  readonly destinations: readonly Destination[]
  readonly flavors: readonly { readonly id: string; readonly name: string; readonly amounts: string }[]
  /** Facts that no API reports, so that Nova may still refuse. */
  readonly unchecked: readonly string[]
  /** Null while something is still to be chosen. */
  readonly call: CloudCallView | null
  /** Digest of the call: the request repeats it to say which call was shown. */
  readonly print: string
  readonly undoneBy: CloudActionKind | null
}

const aboutOf = (verb: CloudActionKind): SubjectKind => CLOUD_ACTIONS[verb].about

export function offersIn(
  state: CloudState,
  kind: SubjectKind,
  id: string,
): Omit<CloudSubjectView, 'actions' | 'fence'> | null {
  const facts = factsKnown(state)
  const subject = subjectOf(facts, kind, id)
  if (subject === null) return null
  const { migration } = subject
  const offers = offersFor(kind, subject).map((offer) => ({ ...offer, subject: id }))
  const isMigrating = kind === 'instance' && migration !== null && novaProgress(migration).outcome === null
  const ofMigration = isMigrating
    ? offersFor('migration', subject).map((offer) => ({ ...offer, subject: migration.uuid }))
    : []
  return { ...described(kind, subject), offers: [...ofMigration, ...offers] }
}

function described(kind: SubjectKind, { facts, server, migration, service }: ActionSubject) {
  if (kind === 'host' && service) return { name: service.host, says: serviceEvidence(facts, service.host).says }
  if (kind === 'migration' && migration)
    return { name: `migration ${migration.id}`, says: migrationEvidence(facts, migration).says }
  return { name: server?.name ?? '', says: server ? serverEvidence(facts, server).says : '' }
}

/** Null: the cloud no longer lists it. */
export function explained(
  state: CloudState,
  { verb, subject: id, input }: RequestedCloudAction,
): CloudActionPreview | null {
  const facts = factsKnown(state)
  const subject = subjectOf(facts, aboutOf(verb), id)
  if (subject === null) return null
  const { fields, isDangerous, undoneBy } = CLOUD_ACTIONS[verb]
  const flavors = rowsOf(state.snapshot.flavors)
  const flavor = flavors.find((each) => each.id === input.flavor)
  const { server } = subject
  const destinations =
    server && fields.includes('host') ? destinationsOf(facts, server, { flavor: flavor ?? server.flavor }) : []
  const chosen = destinations.find(({ host }) => host === input.host)
  const why =
    refusalOf(verb, subject) ??
    inputRefusal(verb, subject, input) ??
    (chosen?.why ? `${chosen.host}: ${chosen.why}.` : null)
  const call = callOf(verb, subject, { ...input, reason: '' })
  return {
    ...{ why, isDangerous, fields, destinations, undoneBy },
    flavors: fields.includes('flavor') ? flavors.flatMap((each) => flavorChoice(each, server?.flavor ?? null)) : [],
    unchecked: fields.includes('host') || fields.includes('flavor') ? UNCHECKED : [],
    call: why === null ? callView(call) : null,
    print: callsFingerprint([call]),
  }
}

function flavorChoice({ id, name, vcpus, memoryMib, rootGib }: CloudFlavor, own: CloudFlavor | null) {
  const amounts = `${vcpus} VCPU, ${memoryMib} MiB, ${rootGib} GiB`
  return id === undefined || name === own?.name ? [] : [{ id, name, amounts }]
}

type RequestNow = Omit<CloudActionRequest, 'id'>

/** The call as shown; null when the present call would differ, or there is none. */
export function requestOf(state: CloudState, asked: RequestedCloudAction, print: string): RequestNow | null {
  if (explained(state, asked)?.print !== print) return null
  const request = requestNow(state, asked)
  return typeof request === 'string' ? null : request
}

/** The present call, if its destination is suitable as well; a string says why there is none. */
export function requestNow(state: CloudState, asked: RequestedCloudAction): RequestNow | string {
  const prepared = explained(state, asked)?.why ?? prepareAction(factsKnown(state), asked)
  return typeof prepared === 'string' ? prepared : { ...prepared, snapshot: state.snapshot, drain: null }
}

export const actionView = (row: CloudActionRow): CloudActionView => {
  const { id, verb, subject, name, state, says, who, reason, askedAt, endedAt } = row
  return { id, verb: verb as CloudActionKind, subject, name, state, says, who, reason, askedAt, endedAt }
}

import { withoutHolding } from '../holdings'
import type { Host } from '../host'
import type { Operation } from '../migration/state'
import type { HostId, InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import type { DrainGuest } from './ask'
import { type OptionFinder, takesClaims } from './options'
import { hostOn, type Placements, placeOf } from './placements'
import { addStep, type MoveSequence } from './step'

// For fleets too large for an exhaustive search: takes a host that nearly accepts the guest and moves its blocking
// guests away first, if need be recursively.

const HOSTS = 12 // the nearest; others need more guests moved away
const IN_THE_WAY = 8
const ASIDE = 3 // guests moved away from one host
const DEEP = 2 // depth of the recursion: moves that make room for moves

export function placeWithRoom(finder: OptionFinder, course: MoveSequence, guest: DrainGuest): MoveSequence | null {
  return makeRoom(finder, course, { guest, deep: DEEP, kept: new Set([guest.instance.id]), closed: new Set() })
}

interface RoomRequest {
  readonly guest: DrainGuest
  readonly deep: number
  /** Guests that must not be moved away: room is being made for them. */
  readonly kept: ReadonlySet<InstanceId>
  /** Hosts on which room is being made, so that no guest is moved there. */
  readonly closed: ReadonlySet<HostId>
}

function makeRoom(finder: OptionFinder, course: MoveSequence, request: RoomRequest): MoveSequence | null {
  for (const { host, inTheWay } of nearest(finder, course.placements, request)) {
    const closed = new Set([...request.closed, host.id])
    const found = aside(finder, course, { ...request, closed, host: host.id, inTheWay, count: ASIDE })
    if (found) return found
    if (finder.asked() >= finder.ask.steps) return null
  }
  return null
}

interface EvictionRequest extends RoomRequest {
  readonly host: HostId
  readonly inTheWay: readonly DrainGuest[]
  readonly count: number
}

function aside(finder: OptionFinder, course: MoveSequence, clearing: EvictionRequest): MoveSequence | null {
  const { guest, host, inTheWay, count } = clearing
  if (count === 0) return null
  for (const [at, other] of inTheWay.entries()) {
    if (finder.asked() >= finder.ask.steps) return null
    const gone = sentAway(finder, course, { ...clearing, guest: other })
    if (gone === null) continue
    const option = finder.optionOn(gone.placements, guest, host)
    if (option) return addStep(gone, guest, { option, fits: 1 })
    const more = aside(finder, gone, { ...clearing, inTheWay: inTheWay.slice(at + 1), count: count - 1 })
    if (more) return more
  }
  return null
}

/** Here `guest` is the one that is moved away. */
function sentAway(finder: OptionFinder, course: MoveSequence, clearing: EvictionRequest): MoveSequence | null {
  const { guest } = clearing
  const options = finder.options(course.placements, guest).filter(({ host }) => !clearing.closed.has(host.id))
  const [best] = options
  if (best) return addStep(course, guest, { option: best, fits: options.length })
  if (clearing.deep === 0) return null
  const kept = new Set([...clearing.kept, guest.instance.id])
  return makeRoom(finder, course, { guest, deep: clearing.deep - 1, kept, closed: clearing.closed })
}

interface CandidateHost {
  readonly host: Host
  readonly inTheWay: readonly DrainGuest[]
}

/** Hosts that would take the guest without their movable guests, the smallest gap first. */
function nearest(
  finder: OptionFinder,
  placements: Placements,
  { guest, kept, closed }: RoomRequest,
): readonly CandidateHost[] {
  const [method] = finder.methods(placements, guest)
  if (method === undefined) return []
  const among = (host: Host) => takesClaims(host) && !closed.has(host.id)
  const near: CandidateHost[] = []
  for (const { host, refusals } of gapsOf(finder, placements, { guest, method, among })) {
    const inTheWay = movable(finder, { host, kept, refusals })
    if (inTheWay.length > 0 && takesWhenEmptied(finder, placements, { guest, host, inTheWay }))
      near.push({ host, inTheWay })
    if (near.length === HOSTS || finder.asked() >= finder.ask.steps) break
  }
  return near.map(({ host, inTheWay }) => ({ host, inTheWay: inTheWay.slice(0, IN_THE_WAY) }))
}

interface Gap {
  readonly host: Host
  readonly refusals: readonly Refusal[]
}

interface GapRequest {
  readonly guest: DrainGuest
  readonly method: Operation
  readonly among?: (host: Host) => boolean
}

/** The hosts that refuse it, except the one to empty; the closest to accepting first. */
export function gapsOf(
  finder: OptionFinder,
  placements: Placements,
  { among = () => true, ...asking }: GapRequest,
): readonly Gap[] {
  const place = placeOf(placements, asking.guest.instance.id)
  const gaps = finder.ask.hosts.flatMap(({ id }): Gap[] => {
    const host = hostOn(placements, id)
    if (id === finder.ask.host || id === place || !among(host)) return []
    const verdict = finder.verdict(placements, asking, id)
    return verdict && !verdict.ok ? [{ host, refusals: verdict.refusals }] : []
  })
  return gaps.sort((a, b) => gap(a.refusals) - gap(b.refusals) || (a.host.name < b.host.name ? -1 : 1))
}

/** Distance from acceptance: few reasons are better than many, and small shortages better than large ones. */
function gap(refusals: readonly Refusal[]): number {
  const short = refusals.reduce((sum, each) => sum + ('shortBy' in each ? each.shortBy / Math.max(1, each.need) : 1), 0)
  return refusals.length + short
}

interface Holders extends Gap {
  readonly kept: ReadonlySet<InstanceId>
}

/** Guests that may be moved away, those named by the refusals first. */
function movable(finder: OptionFinder, { host, kept, refusals }: Holders): readonly DrainGuest[] {
  const named: string[] = refusals.flatMap((refusal) => refusal.heldBy ?? [])
  const guests = host.holdings.flatMap(({ consumer }) => finder.guests.get(consumer as InstanceId) ?? [])
  const rank = (guest: DrainGuest) =>
    named.includes(guest.instance.id) ? named.indexOf(guest.instance.id) : named.length
  return guests
    .filter(({ instance, moving }) => !kept.has(instance.id) && moving === null)
    .toSorted((a, b) => rank(a) - rank(b) || a.instance.flavor.memoryMib - b.instance.flavor.memoryMib)
}

interface EvictionTrial extends CandidateHost {
  readonly guest: DrainGuest
}

function takesWhenEmptied(
  finder: OptionFinder,
  placements: Placements,
  { guest, host, inTheWay }: EvictionTrial,
): boolean {
  const going = new Set<string>(inTheWay.map(({ instance }) => instance.id))
  const bare = host.holdings
    .filter(({ consumer }) => going.has(consumer))
    .reduce((left, { claim }) => withoutHolding(left, claim), host)
  const changed = new Map(placements.changed).set(host.id, bare)
  return finder.optionOn({ ...placements, changed }, guest, host.id) !== null
}

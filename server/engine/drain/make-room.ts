import { withoutHolding } from '../holdings'
import type { Host } from '../host'
import type { Operation } from '../migration/state'
import type { HostId, InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { type OptionFinder, takesClaims } from './options'
import { hostOn, type Placements, placeOf } from './placements'
import type { DrainInstance } from './plan'
import { addStep, type MigrationSequence } from './step'

// For fleets too large for an exhaustive search: takes a host that nearly accepts the instance and moves its blocking
// instances away first, if need be recursively.

const HOSTS = 12 // only the nearest hosts; others need more instances moved away
const IN_THE_WAY = 8
const ASIDE = 3 // instances moved away from one host
const DEEP = 2 // depth of the recursion: migrations that make room for migrations

export function placeWithRoom(
  finder: OptionFinder,
  course: MigrationSequence,
  instance: DrainInstance,
): MigrationSequence | null {
  return makeRoom(finder, course, { instance, deep: DEEP, immovable: new Set([instance.record.id]), closed: new Set() })
}

interface RoomRequest {
  readonly instance: DrainInstance
  readonly deep: number
  /** Instances for which room is being made; they are not moved away. */
  readonly immovable: ReadonlySet<InstanceId>
  /** Hosts on which room is being made, so that no instance is moved there. */
  readonly closed: ReadonlySet<HostId>
}

function makeRoom(finder: OptionFinder, course: MigrationSequence, request: RoomRequest): MigrationSequence | null {
  for (const { host, evictable } of nearest(finder, course.placements, request)) {
    const closed = new Set([...request.closed, host.id])
    const found = aside(finder, course, { ...request, closed, host: host.id, evictable, count: ASIDE })
    if (found) return found
    if (finder.decisionCount() >= finder.input.steps) return null
  }
  return null
}

interface EvictionRequest extends RoomRequest {
  readonly host: HostId
  readonly evictable: readonly DrainInstance[]
  readonly count: number
}

function aside(finder: OptionFinder, course: MigrationSequence, clearing: EvictionRequest): MigrationSequence | null {
  const { instance, host, evictable, count } = clearing
  if (count === 0) return null
  for (const [at, other] of evictable.entries()) {
    if (finder.decisionCount() >= finder.input.steps) return null
    const gone = sentAway(finder, course, { ...clearing, instance: other })
    if (gone === null) continue
    const option = finder.optionOn(gone.placements, instance, host)
    if (option) return addStep(gone, instance, { option, fits: 1 })
    const more = aside(finder, gone, { ...clearing, evictable: evictable.slice(at + 1), count: count - 1 })
    if (more) return more
  }
  return null
}

/** `instance` is the one to move away. */
function sentAway(
  finder: OptionFinder,
  course: MigrationSequence,
  clearing: EvictionRequest,
): MigrationSequence | null {
  const { instance } = clearing
  const options = finder.options(course.placements, instance).filter(({ host }) => !clearing.closed.has(host.id))
  const [best] = options
  if (best) return addStep(course, instance, { option: best, fits: options.length })
  if (clearing.deep === 0) return null
  const immovable = new Set([...clearing.immovable, instance.record.id])
  return makeRoom(finder, course, { instance, deep: clearing.deep - 1, immovable, closed: clearing.closed })
}

interface CandidateHost {
  readonly host: Host
  readonly evictable: readonly DrainInstance[]
}

/** Hosts that would accept the instance without their movable instances, smallest gap first. */
function nearest(
  finder: OptionFinder,
  placements: Placements,
  { instance, immovable, closed }: RoomRequest,
): readonly CandidateHost[] {
  const [method] = finder.methods(placements, instance)
  if (method === undefined) return []
  const among = (host: Host) => takesClaims(host) && !closed.has(host.id)
  const near: CandidateHost[] = []
  for (const { host, refusals } of gapsOf(finder, placements, { instance, method, among })) {
    const evictable = movable(finder, { host, immovable, refusals })
    if (evictable.length > 0 && takesWhenEmptied(finder, placements, { instance, host, evictable }))
      near.push({ host, evictable })
    if (near.length === HOSTS || finder.decisionCount() >= finder.input.steps) break
  }
  return near.map(({ host, evictable }) => ({ host, evictable: evictable.slice(0, IN_THE_WAY) }))
}

interface Gap {
  readonly host: Host
  readonly refusals: readonly Refusal[]
}

interface GapRequest {
  readonly instance: DrainInstance
  readonly method: Operation
  readonly among?: (host: Host) => boolean
}

/** Refusing hosts, except the one to empty; closest to accepting first. */
export function gapsOf(
  finder: OptionFinder,
  placements: Placements,
  { among = () => true, ...asking }: GapRequest,
): readonly Gap[] {
  const place = placeOf(placements, asking.instance.record.id)
  const gaps = finder.input.hosts.flatMap(({ id }): Gap[] => {
    const host = hostOn(placements, id)
    if (id === finder.input.host || id === place || !among(host)) return []
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
  readonly immovable: ReadonlySet<InstanceId>
}

/** Instances that may be moved away, those named by the refusals first. */
function movable(finder: OptionFinder, { host, immovable, refusals }: Holders): readonly DrainInstance[] {
  const named: string[] = refusals.flatMap((refusal) => refusal.heldBy ?? [])
  const instances = host.holdings.flatMap(({ consumer }) => finder.instances.get(consumer as InstanceId) ?? [])
  const rank = (instance: DrainInstance) =>
    named.includes(instance.record.id) ? named.indexOf(instance.record.id) : named.length
  return instances
    .filter(({ record, activeMigration }) => !immovable.has(record.id) && activeMigration === null)
    .toSorted((a, b) => rank(a) - rank(b) || a.record.flavor.memoryMib - b.record.flavor.memoryMib)
}

interface EvictionTrial extends CandidateHost {
  readonly instance: DrainInstance
}

function takesWhenEmptied(
  finder: OptionFinder,
  placements: Placements,
  { instance, host, evictable }: EvictionTrial,
): boolean {
  const going = new Set<string>(evictable.map(({ record }) => record.id))
  const bare = host.holdings
    .filter(({ consumer }) => going.has(consumer))
    .reduce((left, { claim }) => withoutHolding(left, claim), host)
  const changed = new Map(placements.changed).set(host.id, bare)
  return finder.optionOn({ ...placements, changed }, instance, host.id) !== null
}

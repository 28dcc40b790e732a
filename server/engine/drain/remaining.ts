import { decide } from '../claim'
import { hostFrom, withoutHolding } from '../holdings'
import type { Host } from '../host'
import type { MigrationQuestion } from '../migration/question'
import type { Operation } from '../migration/state'
import type { InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { gapsOf } from './make-room'
import { type OptionFinder, operationsToTry, startRefusals, takesClaims } from './options'
import { hostOn, type Placements, placeOf } from './placements'
import type { DrainInstance, Proof, RemainingInstance, SmallestChange } from './plan'
import { refusingOf } from './refusing'

// Why an instance stays, and the smallest change after which it could go. Each change is made on a copy of the host,
// and reported only if `decide` then accepts.

const MAX_REPORTED_HOSTS = 8
const TRIED_HOSTS = 24 // the nearest; a change on a more distant host is not the smallest

interface UnplacedInstance {
  readonly instance: DrainInstance
  readonly proof: Proof
}

export function remainingInstance(
  finder: OptionFinder,
  placements: Placements,
  { instance, proof }: UnplacedInstance,
): RemainingInstance {
  const { id } = instance.record
  const none = { instance: id, refusals: [], rule: null, proof, change: null } as const
  if (instance.chosen === 'stay') return { ...none, is: 'stays' }
  const ways = operationsToTry(finder.input, placements, instance)
  const [way] = finder.methods(placements, instance)
  if (way === undefined) return { ...none, ...cannotStart(placements, instance, ways), is: 'blocked' }
  const method = ways.at(-1) ?? way
  const question = finder.question(placements, instance, method)
  const gaps = gapsOf(finder, placements, { instance, method }).flatMap((gap) =>
    question ? [{ ...gap, question }] : [],
  )
  const refusing = refusingOf(gaps.map(({ refusals }) => refusals))
  const change = changeFor(finder, placements, { instance, ways, gaps })
  return {
    instance: id,
    is: isOf(finder, instance),
    refusals: gaps.slice(0, MAX_REPORTED_HOSTS).map(({ host, refusals }) => ({ host: host.id, refusals })),
    rule: refusing.rules[0]?.rule ?? null,
    refusing,
    proof: provenBy(finder, placements, instance) ?? proof,
    change,
  }
}

// Status and scheduling are ignored here: `no-host-at-all` means that no host could ever take it.
function provenBy(finder: OptionFinder, placements: Placements, instance: DrainInstance): Proof | null {
  const standing = (host: Host): Host => ({ ...host, status: 'up', scheduling: 'enabled' })
  const others = finder.input.hosts.filter(({ id }) => id !== finder.input.host).map(({ id }) => hostOn(placements, id))
  const changed = new Map([...placements.changed, ...others.map((host) => [host.id, standing(host)] as const)])
  if (hasNoTarget(finder, { ...placements, changed }, { instance })) return 'no-host-at-all'
  return hasNoTarget(finder, placements, { instance, among: takesClaims }) ? 'exhaustive' : null
}

/** An instance that cannot migrate live stays or stops by choice; with `cold` or an operation chosen, it is blocked. */
function isOf({ input }: OptionFinder, instance: DrainInstance): RemainingInstance['is'] {
  const byChoice = input.kind === 'drain' && instance.chosen === null && instance.record.vmState === 'active'
  if (!byChoice || input.fallback === 'cold') return 'blocked'
  return input.fallback === 'stop' ? 'stops' : 'stays'
}

function cannotStart(placements: Placements, instance: DrainInstance, ways: readonly Operation[]) {
  const place = placeOf(placements, instance.record.id)
  const refusals = ways[0] === undefined ? [] : startRefusals(placements, instance, ways[0])
  const perHost = place === null || refusals.length === 0 ? [] : [{ host: place, refusals }]
  return { refusals: perHost, rule: refusals[0]?.kind ?? null, proof: 'no-host-at-all' as const }
}

interface Gap {
  readonly host: Host
  readonly question: MigrationQuestion
  readonly refusals: readonly Refusal[]
}

const fits = (question: MigrationQuestion, host: Host): boolean => decide({ ...question, host, verdictOnly: true }).ok

interface TargetQuery {
  readonly instance: DrainInstance
  readonly among?: (host: Host) => boolean
}

/** True when no host would take it by any operation, even without other instances and without its group's rule. */
export function hasNoTarget(
  finder: OptionFinder,
  placements: Placements,
  { instance, among = () => true }: TargetQuery,
): boolean {
  const place = placeOf(placements, instance.record.id)
  const others = finder.input.hosts.filter(({ id }) => id !== place && id !== finder.input.host)
  const hosts = others.map(({ id }) => hostOn(placements, id)).filter(among)
  return finder.methods(placements, instance).every((method) => {
    const question = finder.question(placements, instance, method)
    return question === null || !hosts.some((host) => fits({ ...question, group: null }, emptied(host)))
  })
}

const emptied = (host: Host): Host => hostFrom(host, host, [])

interface ChangeInput {
  readonly instance: DrainInstance
  readonly ways: readonly Operation[]
  readonly gaps: readonly Gap[]
}

type Find = (gap: Gap, finder: OptionFinder) => SmallestChange | null

/** The smallest kind of change first; within one kind the nearest host. */
const CHANGES: readonly Find[] = [enableHost, hostUp, withoutInstance, dropGroup, dropZone, moreRoom]

function changeFor(
  finder: OptionFinder,
  placements: Placements,
  { instance, ways, gaps }: ChangeInput,
): SmallestChange | null {
  const cold = coldMigration(finder, placements, { instance, ways })
  if (cold) return cold
  for (const find of CHANGES) {
    for (const each of gaps.slice(0, TRIED_HOSTS)) {
      const change = find(each, finder)
      if (change) return change
    }
  }
  return null
}

function coldMigration(
  finder: OptionFinder,
  placements: Placements,
  { instance, ways }: Omit<ChangeInput, 'gaps'>,
): SmallestChange | null {
  if (finder.input.kind === 'evacuation' || ways.includes('cold-migrate')) return null
  for (const { id } of finder.input.hosts) {
    if (id !== finder.input.host && finder.verdict(placements, { instance, method: 'cold-migrate' }, id)?.ok) {
      return { is: 'move-cold', host: id }
    }
  }
  return null
}

function enableHost({ host, question }: Gap): SmallestChange | null {
  if (host.scheduling !== 'disabled' || !fits(question, { ...host, scheduling: 'enabled' })) return null
  return { is: 'enable-host', host: host.id }
}

function hostUp({ host, question }: Gap): SmallestChange | null {
  if (host.status !== 'down' || !fits(question, { ...host, status: 'up' })) return null
  return { is: 'host-up', host: host.id }
}

/** The smallest instance without which the host accepts. */
function withoutInstance({ host, question }: Gap, { instances }: OptionFinder): SmallestChange | null {
  const size = (consumer: string) => instances.get(consumer as InstanceId)?.record.flavor.memoryMib ?? Infinity
  const others = host.holdings.filter(({ consumerKind }) => consumerKind === 'instance')
  for (const { claim, instance } of others.toSorted((a, b) => size(a.consumer) - size(b.consumer))) {
    if (fits(question, withoutHolding(host, claim))) return { is: 'guest-away', host: host.id, instance }
  }
  return null
}

function dropGroup({ host, question }: Gap): SmallestChange | null {
  const { group } = question
  if (group === null || !fits({ ...question, group: null }, host)) return null
  return { is: 'drop-group', host: host.id, group: group.id }
}

function dropZone({ host, question }: Gap): SmallestChange | null {
  const { demand } = question
  const { zone } = demand.constraints
  const anywhere = { ...demand, constraints: { ...demand.constraints, zone: null } }
  if (zone === null || host.zone === zone || !fits({ ...question, demand: anywhere }, host)) return null
  return { is: 'drop-zone', host: host.id, zone }
}

/** Only capacity is missing: if emptied, the host would take it. */
function moreRoom({ host, question, refusals }: Gap): SmallestChange | null {
  const short = refusals.filter((refusal) => 'shortBy' in refusal)
  if (short.length === 0 || !fits(question, emptied(host))) return null
  return { is: 'more-room', host: host.id, refusals: short }
}

import type { HeldClaim } from '../audit/finding'
import { disproofNow } from '../audit/proof-checks'
import { placeProblems, shapeProblems } from '../audit/shape-check'
import { pinsAndDevicesText } from '../audit/survey-checks'
import type { Guards, Instance, VmState } from '../change'
import type { Demand } from '../demand'
import type { ClaimBody, Holding, Host } from '../host'
import type { Migration } from '../migration/state'
import { needsPlaces } from '../placing'
import { withoutKeptAmounts } from '../storage/storage'
import type { HostId, InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { REFUSAL_TITLES } from '../words/refusal-titles'
import { ClaimHosts, placeFindings } from './claim-hosts'
import { type ClaimedPlaces, type ConfinementResult, confined } from './confine'
import { consumersOf, type HealContext, hostName } from './context'
import { clearance, type InstanceLocation, locateInstance } from './proof'
import { type RequiredClaim, requiredOf } from './required'

// All that must be held for one instance. The result does not depend on the finding, so two findings about one instance
// never propose two different values.

export interface InstanceRepair {
  readonly ok: true
  /** Host of the instance after the repair. */
  readonly hostAfter: HostId | null
  readonly migration: Migration | null
  /** A migration that records and hypervisors contradict: it is ended, and no host is touched. */
  readonly refuted: Migration | null
  readonly before: readonly HeldClaim[]
  readonly after: readonly HeldClaim[]
  /** Hosts where leftovers must be cleaned up, with the migration that left them. */
  readonly leftovers: readonly { readonly host: HostId; readonly migration: Migration }[]
  /** Generations that decided claims rely on. */
  readonly guards: Guards['providers']
}
export type InstanceRepairResult = InstanceRepair | { readonly ok: false; readonly why: string }

const no = (why: string): { readonly ok: false; readonly why: string } => ({ ok: false, why })

export function repairInstance(context: HealContext, instance: InstanceId): InstanceRepairResult {
  const row = context.records.instances.get(instance)
  const before = context.claimsForInstance.get(instance) ?? []
  const active = (context.migrationsOf.get(instance) ?? []).filter(({ step }) => step !== 'ended')
  if (active.length > 1) return no('The instance has two active migrations. Abort one of them first.')
  const location = locateInstance(context, instance)
  const ends = active.find((each) => isRefuted(context, { row, migration: each, location, before })) ?? null
  const migration = ends === null ? (active[0] ?? null) : null
  const home =
    row === undefined ? { ok: true as const, host: null } : homeOf(context, { row, migration, location, before })
  if (!home.ok) return home
  const wanted = row === undefined ? [] : requiredOf(row, migration, home.host)
  const laid = layAll(context, { instance, required: wanted, before, location })
  if (!laid.ok) return laid
  const remains = leftoversOf(context, { instance, before, after: laid.after, ends })
  if (!remains.ok) return remains
  const { after, guards } = laid
  return {
    ok: true,
    hostAfter: home.host,
    migration,
    refuted: ends,
    before,
    after,
    leftovers: remains.remains,
    guards,
  }
}

// A migration is trusted as long as its claims may merely be missing: they are then restored. It is not when it is
// impossible, or when it holds nothing and the instance's row, claim and domain agree on another host.
function isRefuted(context: HealContext, { row, migration, location, before }: RefutationFacts): boolean {
  if (row === undefined) return true
  const broken = disproofNow(context.records, migration, row)
  if (broken === null) {
    const parked = migration.waiting?.for === 'repair' ? migration.waiting : null
    return location.is === 'proven' && parked !== null && (parked.law === 'step' || location.host !== row.host)
  }
  if (broken.law !== 'claims' && broken.law !== 'home') return true
  const holds = before.some(({ holding }) => holding.consumer === migration.id)
  const housed = before.some(({ host, holding }) => holding.consumer === row.id && host.id === row.host)
  const agree = !holds && housed && location.is === 'proven' && location.host === row.host
  return agree && (migration[migration.direction] !== row.host || migration[migration.home] !== row.host)
}

interface RefutationFacts {
  readonly row: Instance | undefined
  readonly migration: Migration
  readonly location: InstanceLocation
  readonly before: readonly HeldClaim[]
}

const STANDS: readonly VmState[] = ['active', 'stopped', 'paused', 'error']

interface CurrentHostFacts {
  readonly row: Instance
  readonly migration: Migration | null
  readonly location: InstanceLocation
  readonly before: readonly HeldClaim[]
}

// The records are changed only to what hypervisors prove. A migration's steps determine its current host.
function homeOf(
  context: HealContext,
  { row, migration, location, before }: CurrentHostFacts,
): { ok: true; host: HostId | null } | NotOk {
  if (migration !== null) {
    const host = migration[migration.home]
    if (row.host === host || (location.is === 'proven' && location.host === host)) return { ok: true, host }
    if (host === null && location.is === 'unseen') return { ok: true, host }
    const seen = location.is === 'proven' ? `the instance is on ${hostName(context, location.host)}` : whyOf(location)
    return no(
      `The current host of the migration is ${hostName(context, host)}, but ${seen}. Records are changed only to what is verified.`,
    )
  }
  // Its own claim and its domain agree, against the one row that gives no host.
  const housed = before.some(
    ({ host, holding }) => holding.consumer === row.id && location.is === 'proven' && host.id === location.host,
  )
  if (location.is === 'proven' && row.host === null && !(housed && STANDS.includes(row.vmState))) {
    return no(
      `The records say ${row.vmState}, but the instance is on ${hostName(context, location.host)}. Stop it there first.`,
    )
  }
  if (location.is === 'proven') return { ok: true, host: location.host }
  if (location.is === 'unclear') return no(`Nothing is changed, because ${location.why}.`)
  const elsewhere = before.find(({ host, holding }) => holding.consumer === row.id && host.id !== row.host)
  const claimed = before.some(({ host }) => host.id === row.host)
  if (elsewhere === undefined || claimed || row.host === null) return { ok: true, host: row.host }
  const [says, holds] = [hostName(context, row.host), elsewhere.host.name]
  return no(`The records say ${says}, the claim is on ${holds}, and ${whyOf(location)}. Wait for two surveys.`)
}

type NotOk = { readonly ok: false; readonly why: string }

const whyOf = (there: InstanceLocation): string =>
  there.is === 'unclear' ? there.why : 'no hypervisor has reported the instance'

interface ClaimsRequest {
  readonly instance: InstanceId
  readonly required: readonly RequiredClaim[]
  readonly before: readonly HeldClaim[]
  readonly location: InstanceLocation
}
type ClaimsChange =
  | { readonly ok: true; readonly after: readonly HeldClaim[]; readonly guards: Guards['providers'] }
  | NotOk

function layAll(context: HealContext, laying: ClaimsRequest): ClaimsChange {
  const hosts = new ClaimHosts(context, laying.instance)
  const pairs = paired(laying.required, laying.before)
  const after: HeldClaim[] = []
  const guards = new Map<string, Guards['providers'][number]>()
  // Claims that stay unchanged come first, so that new decisions work around them.
  const judged = pairs.map((pair) => ({
    ...pair,
    keeps: pair.held !== null && isRight(context, pair, laying.location),
  }))
  for (const pair of [...judged].sort((a, b) => Number(b.keeps) - Number(a.keeps))) {
    const host = hosts.host(pair.required.host)
    if (host === null) return no(`The host ${pair.required.host} no longer exists.`)
    const fixed = pair.keeps ? reuseHolding(pair.held!) : fix(context, { ...pair, host, location: laying.location })
    if (!fixed.ok) return fixed
    for (const guard of fixed.guards) guards.set(guard.provider, guard)
    const holding = holdingOf(context, { ...pair, instance: laying.instance, body: fixed.body })
    hosts.lay(host.id, holding)
    after.push({ host: context.records.hosts.get(host.id)!, holding })
  }
  return { ok: true, after, guards: [...guards.values()] }
}

interface Pair {
  readonly required: RequiredClaim
  readonly held: HeldClaim | null
}

// The consumer's own claim first; else one on that host that no other consumer keeps: it covers the same instance.
function paired(required: readonly RequiredClaim[], before: readonly HeldClaim[]): readonly Pair[] {
  const free = new Set(before)
  const take = (held: HeldClaim | undefined): HeldClaim | null => {
    if (held !== undefined) free.delete(held)
    return held ?? null
  }
  const own = required.map((each) => {
    const mine = [...free].find(({ host, holding }) => host.id === each.host && holding.consumer === each.consumer)
    return { required: each, held: take(mine) }
  })
  return own.map((pair) => {
    if (pair.held !== null) return pair
    return { ...pair, held: take([...free].find(({ host }) => host.id === pair.required.host)) }
  })
}

function isRight(context: HealContext, { required, held }: Pair, there: InstanceLocation): boolean {
  if (held === null) return false
  const demand = demandOf(context, required)
  if (demand !== null && shapeProblems(demand, held.holding.body).length > 0) return false
  if (placeFindings(held).length > 0) return false
  const seen = observedBodyOf(there, required.host)
  return seen === null || pinsAndDevicesText(seen) === pinsAndDevicesText(held.holding.body)
}

function demandOf(context: HealContext, { spec, keptAmounts }: RequiredClaim): Demand | null {
  const demand = context.options.demandFor(spec)
  return demand && withoutKeptAmounts(demand, keptAmounts)
}

const observedBodyOf = (there: InstanceLocation, host: HostId): ClaimBody | null =>
  there.is === 'proven' && there.host === host ? there.body : null

type FixResult = { readonly ok: true; readonly body: ClaimBody; readonly guards: Guards['providers'] } | NotOk

const reuseHolding = ({ holding }: HeldClaim): FixResult => ({ ok: true, body: holding.body, guards: [] })

interface Fix extends Pair {
  readonly host: Host
  readonly location: InstanceLocation
}

function fix(context: HealContext, { required, held, host, location }: Fix): FixResult {
  const demand = demandOf(context, required)
  if (demand === null)
    return no(`The requirements of flavor ${required.spec.flavor.name} cannot be read. Correct the flavor first.`)
  const places = placesFor(demand, { required, held, host, location })
  if (!places.ok) return places
  const { decide } = context.options
  const answer = confined({ decide, demand, host, places: places.places })
  if (!answer.ok) return no(refused(host, required, answer))
  const known = held?.holding.body
  return { ok: true, guards: answer.guards, body: known ? closest(answer.body, known) : answer.body }
}

/** A device may match several requests; the existing assignment is kept. */
function closest(body: ClaimBody, known: ClaimBody): ClaimBody {
  const text = ({ units }: ClaimBody) =>
    units
      .map(({ unit, use }) => `${unit} ${use}`)
      .sort()
      .join()
  return text(body) === text(known) ? { ...body, units: known.units } : body
}

function placesFor(demand: Demand, fixing: Fix): { ok: true; places: ClaimedPlaces | null } | NotOk {
  const { required, held, host, location } = fixing
  if (!needsPlaces(demand)) return { ok: true, places: null }
  const seen = observedBodyOf(location, required.host)
  if (seen !== null) return { ok: true, places: seen }
  if (held !== null && isPlacedAsRequested(demand, held, host)) return { ok: true, places: held.holding.body }
  if (location.is !== 'proven' || location.host !== required.host) {
    if (held === null) return { ok: true, places: null }
    return no(
      `The CPUs and devices of the claim on ${host.name} are not what ${required.spec.flavor.name} requires, and no ` +
        'hypervisor has reported twice what the domain has. Wait for two surveys, or migrate the instance, which then gets a new placement.',
    )
  }
  return no(
    `The instance is on ${host.name}, which does not report its CPUs and devices, so a claim would be a guess. ` +
      'Migrate the instance, which then gets a new placement.',
  )
}

/** NUMA nodes and devices are as requested and exist, so that only amounts or unit rows are wrong. */
function isPlacedAsRequested(demand: Demand, { holding, host: row }: HeldClaim, host: Host): boolean {
  if (placeProblems(demand, holding.body).length > 0) return false
  const nodes = new Set(row.numaNodes.map(({ id }) => id))
  return holding.body.cells.every(({ hostCell }) => nodes.has(hostCell)) && host.id === row.id
}

function refused(
  host: Host,
  { spec }: RequiredClaim,
  { refusals, why }: Extract<ConfinementResult, { ok: false }>,
): string {
  const reasons = why ?? refusals.slice(0, 3).map(inWords).join('; ')
  return `${host.name} has no capacity for what ${spec.flavor.name} requires there: ${reasons}. Migrate another instance away first.`
}

function inWords(refusal: Refusal): string {
  // The huge-page share of a node explains a shortage, but is not a place.
  const { hugeMib: _, ...place } = refusal.where
  const where = Object.values(place).join(' ')
  const have = 'free' in refusal ? `${refusal.free} free` : refusal.have
  return `${REFUSAL_TITLES[refusal.kind]}${where && ` ${where}`}: needs ${refusal.need}, ${have}`
}

interface Holder extends Pair {
  readonly instance: InstanceId
  readonly body: ClaimBody
}

// A claim that passes to another consumer is a new claim: the tables identify a claim by its consumer.
function holdingOf(context: HealContext, { required, held, instance, body }: Holder): Holding {
  const { consumer, consumerKind } = required
  const same = held !== null && held.holding.consumer === consumer && held.holding.consumerKind === consumerKind
  const claim = same && held.holding.instance === instance ? held.holding.claim : context.options.newClaimId()
  return { claim, consumer, consumerKind, instance, body }
}

interface ReleaseFacts {
  readonly instance: InstanceId
  readonly before: readonly HeldClaim[]
  readonly after: readonly HeldClaim[]
  readonly ends: Migration | null
}

/** A released claim must cover nothing; leftovers there go onto the host's list, and the conductor cleans them up. */
function leftoversOf(
  context: HealContext,
  leaving: ReleaseFacts,
): { ok: true; remains: InstanceRepair['leftovers'] } | NotOk {
  const { instance, before, after, ends } = leaving
  const stays = new Set(after.map(({ host }) => host.id))
  const consumers = new Set([...consumersOf(context, instance), ...before.map(({ holding }) => holding.consumer)])
  const loose = [...consumers].flatMap((each) => context.strayAllocationsOf.get(each) ?? [])
  const held = [...before.map(({ host }) => host.id), ...loose.flatMap(({ host }) => (host === null ? [] : [host]))]
  const leaves = new Set(held.filter((host) => !stays.has(host)))
  const remains: { host: HostId; migration: Migration }[] = []
  for (const host of leaves) {
    const clear = clearance(context, host, instance)
    if (clear.is === 'not-clear') return no(`Nothing is released on ${hostName(context, host)}: ${clear.why}.`)
    if (clear.is === 'clear' || context.records.hosts.get(host)?.leftovers.includes(instance)) continue
    const migration = ends !== null && isBetween(ends, host) ? ends : lastMigrationAt(context, instance, host)
    if (migration === null) {
      const name = hostName(context, host)
      return no(
        `Leftovers of the instance may still be on ${name}, and no known migration left them. Remove them there.`,
      )
    }
    remains.push({ host, migration })
  }
  return { ok: true, remains }
}

/** One of its sides is there, and the other is not. */
const isBetween = ({ source, target }: Migration, host: HostId) => (source === host) !== (target === host)

function lastMigrationAt(context: HealContext, instance: InstanceId, host: HostId): Migration | null {
  const migrations = (context.migrationsOf.get(instance) ?? []).filter(
    (migration) => migration.step === 'ended' && isBetween(migration, host),
  )
  return migrations.reduce<Migration | null>(
    (last, migration) => (last && last.stepSince >= migration.stepSince ? last : migration),
    null,
  )
}

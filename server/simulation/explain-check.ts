import type { Effect } from '../conductor/effects'
import type { TickOptions } from '../conductor/options'
import { migrationTick } from '../conductor/tick'
import { type Finding, newAuditor, type Snapshot } from '../engine/audit'
import type { Instance } from '../engine/change'
import { explain, type Verdict } from '../engine/claim'
import { demandOf } from '../engine/demand'
import { bodyOf } from '../engine/holdings'
import type { ClaimBody, Host } from '../engine/host'
import { startBuild } from '../engine/lifecycle'
import { accept, type MigrationRequest } from '../engine/migration/accept'
import { operationRow } from '../engine/migration/operations'
import { questionOf } from '../engine/migration/question'
import { type Migration, OPERATIONS } from '../engine/migration/state'
import { prove } from '../engine/proof/proposition'
import type { StorageUsed } from '../engine/storage/storage'
import type { ClaimId, HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { Refusal } from '../engine/words/refusal'
import { Chance } from './chance'
import { DEMAND_OPTIONS, FLAVORS, IMAGES, idOf } from './hardware'
import { MemoryLedger } from './ledger/in-memory'
import type { Ledger, LedgerCall } from './ledger/ledger'
import { OPTIONS } from './micro-steps'
import { planOf, simulate } from './run'

// Explain says ok ⇔ the claim succeeds on the same state (I7). The states come from a simulated fleet in operation, at
// any point of a migration, with hosts that are down, fenced, disabled or quarantined. Each decision is made twice on
// a copy of the records: by the query of the explain page, and by a conductor that runs a migration up to its claim.

export interface ExplainTally {
  readonly ok: number
  readonly refused: number
  /** Decisions that no request can cause in that state, so there is no claim to compare with. */
  readonly notAsked: number
  readonly differ: readonly string[]
}

export const EMPTY_TALLY: ExplainTally = { ok: 0, refused: 0, notAsked: 0, differ: [] }

const ASK_PERMILLE = 60
// Limits on parallel migrations are not part of the verdict, and a full queue would leave the claim undecided.
const NO_LIMITS: TickOptions['limits'] = { perSource: 1_000, perTarget: 1_000, fleet: 1_000 }
const CLAIM_ONLY: TickOptions = { ...OPTIONS, limits: NO_LIMITS, maxActions: 1 }
const ACTOR = { who: 'asker', request: null, reason: null }
const LATER = 10_000_000_000 // later than any time in the run
const OWN = 9 // kind of the ids that the checks create

/** One run of the simulated fleet, with explain queries along the way. */
export function compareAlongRun(seed: number): ExplainTally {
  const plan = planOf(seed)
  const ledger = new MemoryLedger(plan.hosts, plan.groups)
  const chance = new Chance(seed ^ 0x2545f491)
  const running = simulate(seed)
  let asked = EMPTY_TALLY
  let next = running.next()
  while (!next.done) {
    if (next.value.name === 'snapshot' && chance.permille(ASK_PERMILLE)) {
      asked = sum(asked, compareOnce({ ledger: ledger.copy(), chance, seed }))
    }
    next = running.next(answered(ledger, next.value))
  }
  return asked
}

export const sum = (a: ExplainTally, b: ExplainTally): ExplainTally => ({
  ok: a.ok + b.ok,
  refused: a.refused + b.refused,
  notAsked: a.notAsked + b.notAsked,
  differ: [...a.differ, ...b.differ],
})

const answered = (ledger: Ledger, { name, ask }: LedgerCall): unknown =>
  (ledger[name] as (question: typeof ask) => unknown)(ask)

interface Asker {
  readonly ledger: MemoryLedger
  readonly chance: Chance
  readonly seed: number
}

/** The verdict of explain and the result of the claim. Null: no request causes this decision. */
type ExplainedClaim = { readonly what: string; readonly explained: Verdict; readonly claimed: ClaimAnswer } | null
/** `holds`: the instance's claim on that host, and its storage. */
type ClaimAnswer =
  | { readonly ok: true; readonly holds: string }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

function compareOnce(asker: Asker): ExplainTally {
  const before = asker.ledger.snapshot()
  const both = asker.chance.permille(250) ? buildBoth(asker) : migrateBoth(asker)
  if (both === null) return { ...EMPTY_TALLY, notAsked: 1 }
  const { explained, claimed, what } = both
  const same = explained.ok
    ? claimed.ok && claimed.holds === claimText(bodyOf(explained.plan), explained.plan.storage)
    : !claimed.ok && JSON.stringify(claimed.refusals) === JSON.stringify(explained.refusals)
  const differ = [
    ...(same ? [] : [`: explain said ${verdictText(explained)}, the claim gave ${verdictText(claimed)}`]),
    ...foundAfter(before, asker.ledger.snapshot(), explained).map((found) => `: the audit then found ${found}`),
  ].map((difference) => `seed ${asker.seed}: ${what}${difference}`)
  return { ...EMPTY_TALLY, differ, ok: explained.ok ? 1 : 0, refused: explained.ok ? 0 : 1 }
}

/**
 * What the audit finds after the claim and should not. A device that a `preferred` request may have on another NUMA
 * node is no fault: the verdict warned of exactly those that are new. The others stem from an earlier placement.
 */
function foundAfter(before: Snapshot, after: Snapshot, explained: Verdict): readonly string[] {
  const warned = explained.ok ? explained.warnings.filter(({ kind }) => kind === 'device-off-node') : []
  const found = auditRecords(after)
  const offNode = found.filter(({ kind }) => kind === 'device-off-node').map(placeOf)
  const earlier = offNode.length === 0 ? [] : auditRecords(before).map(placeOf)
  const made = offNode.filter((place) => !earlier.includes(place))
  return [
    ...found.map(({ kind }) => kind).filter((kind) => kind !== 'device-off-node'),
    ...(made.length === warned.length ? [] : [`device-off-node: ${made.length} found, ${warned.length} warned`]),
  ]
}

const placeOf = ({ kind, host, where }: Finding): string => JSON.stringify([kind, host, where])

/** Every amount, NUMA node, CPU and device, in a fixed order. */
function claimText({ amounts, cells, units }: ClaimBody, storage: StorageUsed | null): string {
  return JSON.stringify([...amounts, ...cells, ...units, storage].map((part) => JSON.stringify(part)).sort())
}

function heldText(
  ledger: MemoryLedger,
  at: { readonly instance: InstanceId; readonly host: HostId },
  storage: StorageUsed | null,
): string {
  const held = ledger.host({ host: at.host })?.holdings.find(({ consumer }) => consumer === at.instance)
  return held === undefined ? 'nothing' : claimText(held.body, storage)
}

const verdictText = (verdict: ClaimAnswer | Verdict): string =>
  verdict.ok
    ? 'holds' in verdict
      ? verdict.holds
      : claimText(bodyOf(verdict.plan), verdict.plan.storage)
    : verdict.refusals.map(({ kind, where }) => `${kind} ${JSON.stringify(where)}`).join(', ')

const auditRecords = newAuditor(({ flavor, image }) => {
  const result = demandOf(flavor, image, DEMAND_OPTIONS)
  return result.ok ? result.demand : null
})

function buildBoth({ ledger, chance }: Asker): ExplainedClaim {
  const flavor = chance.pick(FLAVORS)!
  const image = chance.pick(IMAGES)!
  const host = chance.pick(ledger.hosts())!
  const demanded = demandOf(flavor, image, DEMAND_OPTIONS)
  if (!demanded.ok) return null
  const id = idOf(OWN, 1) as InstanceId
  const explained = onHost({ demand: demanded.demand, instance: id, group: null, live: null, excludedHost: null }, host)
  const what = `build ${flavor.name} on ${host.name}`
  if (!explained.ok) return { what, explained, claimed: explained }
  const instance = { id, name: 'asked', project: 'p', flavor, image, zone: null, group: null }
  const change = startBuild(
    instance,
    { id: idOf(OWN, 2) as ClaimId, plan: explained.plan },
    { actor: ACTOR, at: LATER },
  )
  const committed = ledger.commit({ change })
  if (!committed.ok) return { what, explained, claimed: { ok: false, refusals: [] } }
  return {
    what,
    explained,
    claimed: { ok: true, holds: heldText(ledger, { instance: id, host: host.id }, explained.plan.storage) },
  }
}

const onHost = (question: Parameters<typeof explain>[0], host: Host): Verdict => explain(question, [host])[0]!.verdict

function migrateBoth(asker: Asker): ExplainedClaim {
  const { ledger, chance } = asker
  const resting = chance.pick(ledger.snapshot().instances)
  const view = resting && ledger.instance({ instance: resting.id })
  const host = chance.pick(ledger.hosts())!
  const operation = chance.pick(OPERATIONS)!
  if (!view || operationRow(operation).target === 'same-place') return null
  const request = requestOf(asker, operation, host)
  const predicted = explained(asker, view, request)
  const accepted = accept(view, request, {
    id: idOf(OWN, 3) as MigrationId,
    sameDemand: () => false,
    confirmWindowMs: null,
    actor: ACTOR,
    at: LATER,
  })
  if (predicted === null || !accepted.ok || !ledger.commit({ change: accepted.change }).ok) return null
  carryThroughClaim(ledger, accepted.migration.id)
  const after = ledger.snapshot().migrations.find(({ id }) => id === accepted.migration.id)!
  return {
    what: `${operation} ${view.instance.name} to ${host.name}`,
    explained: predicted,
    claimed: cameOf(after, ledger),
  }
}

function requestOf({ chance }: Asker, operation: MigrationRequest['operation'], host: Host): MigrationRequest {
  const { changes } = operationRow(operation)
  return {
    operation,
    target: host.id,
    newFlavor: changes === 'flavor' ? chance.pick(FLAVORS)! : null,
    newImage: changes === 'image' ? chance.pick(IMAGES)! : null,
  }
}

type View = NonNullable<ReturnType<MemoryLedger['instance']>>

/** As the explain page queries: from the instance and its host, before there is a migration. */
function explained({ ledger }: Asker, { instance, host }: View, request: MigrationRequest): Verdict | null {
  const { operation, newFlavor, newImage, target } = request
  const demand = demandOf(newFlavor ?? instance.flavor, newImage ?? instance.image, {
    ...DEMAND_OPTIONS,
    zone: instance.zone,
  })
  if (!demand.ok) return null
  const group = groupOf(ledger, instance)
  const source = operationRow(operation).source === 'none' ? null : host
  const result = questionOf({ operation, instance, source, demand: demand.demand, group })
  return result.ok ? onHost(result.question, ledger.host({ host: target! })!) : null
}

const groupOf = (ledger: MemoryLedger, { id, group }: Instance) =>
  group === null ? null : ledger.group({ group, without: id })

/** Runs the migration until it has its claim or a refusal. */
function carryThroughClaim(ledger: MemoryLedger, migration: MigrationId): void {
  const carried = migrationTick(migration, 'asker', CLAIM_ONLY)
  let ids = 10
  const answer = (effect: Effect): unknown => {
    if (effect.name === 'now') return LATER
    if (effect.name === 'newClaimId') return idOf(OWN, ids++)
    if (effect.name === 'proof') return prove(effect.ask.of)
    if (effect.name === 'lease') return ledger.leaseAt({ ...effect.ask, now: LATER })
    return answered(ledger, effect as LedgerCall)
  }
  let next = carried.next()
  while (!next.done) next = carried.next(answer(next.value))
}

function cameOf({ step, cause, instance, target, storageUsed }: Migration, ledger: MemoryLedger): ClaimAnswer {
  if (cause === null && step !== 'claim' && target !== null) {
    return { ok: true, holds: heldText(ledger, { instance, host: target }, storageUsed) }
  }
  return { ok: false, refusals: cause?.refusals?.[0]?.refusals ?? [] }
}

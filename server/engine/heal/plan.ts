import type { Finding } from '../audit/finding'
import { fingerprintOf } from '../audit/identity'
import { indexSnapshot } from '../audit/index-snapshot'
import { type FindingKind, kindRow } from '../audit/kinds'
import { claimsOf } from '../audit/proof-checks'
import { nameOf } from '../audit/running-domain-checks'
import type { Snapshot, SurveyResult } from '../audit/snapshot'
import { groupStrayAllocations, isOurs } from '../audit/unclaimed-row-checks'
import { type Guards, type Instance, NO_GUARDS } from '../change'
import { deletionDisproof } from '../proof/deletion'
import { keyOf, type Line } from '../rows'
import type { InstanceId, MigrationId } from '../words/ids'
import { contextOf, type HealContext } from './context'
import { type DraftResult, draftOf } from './draft'
import { freedAmounts } from './freed-amounts'
import { linesBetween, putConsumer, putStrays, type RowImages } from './images'
import { type HealPart, partOf } from './part'
import type { HealOptions, HealResult, PlannedHeal } from './plan-words'
import { clearance } from './proof'
import { recordDraft } from './record/plan'

// Finding → the rows that repair it, or why no rows can. Nothing is guessed: `decide` gives amounts and places, and two
// surveys that agree give the host.

/** The repair of one finding. */
export function healFor(finding: Finding, snapshot: Snapshot, options: HealOptions): HealResult {
  return heal(contextOf(snapshot, options), finding, locksOf(snapshot))
}

/** The repair of each finding alone, as if no other were planned with it: whether it can be repaired at all. */
export function healEach(
  findings: readonly Finding[],
  snapshot: Snapshot,
  options: HealOptions,
): readonly PlannedHeal[] {
  const context = contextOf(snapshot, options)
  const locks = locksOf(snapshot)
  return findings.map((finding) => ({ finding, healing: heal(context, finding, locks) }))
}

/**
 * Repairs of several findings. Two parts never name one row: what needs the rows of an earlier part joins it or is left
 * out with a reason. Parts that claim capacity come first, because every part raises the generations they rely on.
 */
export function planHeal(
  findings: readonly Finding[],
  snapshot: Snapshot,
  options: HealOptions,
): readonly PlannedHeal[] {
  const healings = healEach(findings, snapshot, options)
  const takesFirst = [...healings].sort((a, b) => Number(takes(b.healing)) - Number(takes(a.healing)))
  const taken = new Map<string, HealPart>()
  const raised = new Set<string>()
  return takesFirst.map(({ finding, healing }) => {
    if (!healing.ok) return { finding, healing }
    const { part } = healing
    const other = part.lines.map((line) => taken.get(keyOf(line))).find((each) => each !== undefined)
    if (other !== undefined) return { finding, healing: { ok: false, why: `Repaired together with “${other.title}”.` } }
    if (takes(healing) && relied(part.guards).some((provider) => raised.has(provider))) {
      return {
        finding,
        healing: { ok: false, why: 'Another part claims on the same host. Plan this one afterwards.' },
      }
    }
    for (const line of part.lines) taken.set(keyOf(line), part)
    if (takes(healing)) for (const { provider } of part.guards.providers) raised.add(provider)
    return { finding, healing }
  })
}

const relied = ({ providers }: Guards) =>
  providers.flatMap(({ provider, generation }) => (generation === null ? [] : [provider]))
const takes = (healing: HealResult): boolean => healing.ok && relied(healing.part.guards).length > 0

const SINGLE_SURVEY = 'Only one survey has shown this. Wait for the next one.'

function heal(context: HealContext, finding: Finding, locks: ReadonlyMap<InstanceId, Lock>): HealResult {
  const { instead, twoLooks, title } = kindRow(finding.kind)
  if (instead !== null) return { ok: false, why: instead }
  if (twoLooks && context.confidence(finding) !== 'likely') {
    return { ok: false, why: SINGLE_SURVEY }
  }
  const draft = (PLANNERS[finding.kind] ?? ofInstance)(context, finding)
  if (!draft.ok) return draft
  if (draft.lines.length === 0) return { ok: false, why: 'The records are already correct. Audit again.' }
  const { lines, guards, instances } = draft
  const locked = lockOf(finding, instances, locks)
  const name = subjectOf(context, finding)
  const part = { fingerprint: fingerprintOf(finding), finding, title: `${title}: ${name}`, lines, guards, locked }
  return { ok: true, part: partOf({ ...part, givesBack: freedAmounts(lines) }) }
}

function lockOf(
  finding: Finding,
  instances: readonly InstanceId[],
  locks: ReadonlyMap<InstanceId, Lock>,
): string | null {
  for (const instance of instances) {
    const lock = locks.get(instance)
    if (lock === undefined || (lock.migration !== null && lock.migration === finding.migration)) continue
    return `${lock.why}. It is repaired when that has ended.`
  }
  return null
}

function subjectOf({ records }: HealContext, { instance, host }: Finding): string {
  const who = instance && (records.instances.get(instance)?.name ?? instance)
  const where = host && (records.hosts.get(host)?.name ?? host)
  return who && where ? `${who} on ${where}` : (who ?? where ?? 'the records')
}

type Planner = (context: HealContext, finding: Finding) => DraftResult

const NO_SUBJECT = { ok: false, why: 'It belongs to no known instance.' } as const

const ofInstance: Planner = (context, { instance }) => (instance === null ? NO_SUBJECT : draftOf(context, instance))

/** Kinds that are not repaired by what their one instance has to hold. */
const PLANNERS: Partial<Record<FindingKind, Planner>> = {
  'unit-held-twice': ofEitherHolder,
  'stray-allocation': ofStray,
  'leftover-wrong': ofRemain,
  'device-state-wrong': ofDevice,
  'device-lost': ofLostDevice,
  'unreadable-record': recordDraft,
}

/** The holder that has no right to the unit gives it up. */
function ofEitherHolder(context: HealContext, { claims }: Finding): DraftResult {
  const holders = context.snapshot.hosts.flatMap(({ holdings }) =>
    holdings.filter(({ claim }) => claims.includes(claim)),
  )
  const drafts = [...new Set(holders.map(({ instance }) => instance))].map((instance) => draftOf(context, instance))
  const help = drafts.find(
    (draft) => draft.ok && draft.lines.some((line) => line.before !== null && line.row === 'unit-holding'),
  )
  if (help !== undefined) return help
  const why = drafts.flatMap((draft) => (draft.ok ? [] : [draft.why]))[0]
  return { ok: false, why: why ?? 'Both holders claim it. Migrate one of the instances.' }
}

function ofStray(context: HealContext, finding: Finding): DraftResult {
  if (finding.instance !== null) return draftOf(context, finding.instance)
  const [consumer] = finding.consumers
  const rows = groupStrayAllocations((context.snapshot.strayAllocations ?? []).filter(isOurs)).find(
    ([first]) => first?.consumer === consumer && first?.host === finding.host,
  )
  if (consumer === undefined || rows === undefined) return NO_SUBJECT
  const clear = finding.host === null ? null : clearance(context, finding.host, consumer as InstanceId)
  if (clear?.is === 'not-clear') return { ok: false, why: `Nothing is released: ${clear.why}.` }
  if (clear?.is === 'remains') {
    return { ok: false, why: 'This unknown domain may still be there. Adopt it, or remove it from its host.' }
  }
  const before: RowImages = new Map()
  putStrays(before, rows, 'No instance or migration has this id.')
  const loose = context.consumersWithoutClaim.get(consumer)
  const last = (context.strayAllocationsOf.get(consumer) ?? []).length === rows.length
  if (loose && last) putConsumer(before, loose, 'It has no claim any more.')
  return plain(linesBetween(before, new Map()), [])
}

function ofRemain(context: HealContext, { host, instance, migration, found }: Finding): DraftResult {
  const row = context.snapshot.leftovers?.find(
    (each) => each.host === host && each.instance === instance && each.migration === migration,
  )
  if (row === undefined) return NO_SUBJECT
  const key = { host: row.host, instance: row.instance, migration: row.migration }
  const why = `Nothing is cleaned up for this row: ${found}.`
  return plain([{ row: 'remain', key, before: { side: row.side }, after: null, host: row.host, why }], [row.instance])
}

const LOST = {
  ok: false,
  why: 'The instance has already lost it. Migrate the instance so that it gets another, or put the device back.',
} as const

/** Records what the host reports. That its holder has lost the device stays a finding of its own. */
function ofLostDevice(context: HealContext, finding: Finding): DraftResult {
  const { host, where } = finding
  if (context.records.hosts.get(host!)?.devices.some(({ unit, gone }) => unit === where.unit && gone)) return LOST
  const looks = context.snapshot.hostSurveys?.find((each) => each.host === host)
  const isAway = (look: SurveyResult | null | undefined) =>
    look?.answered === true && look.devices?.some(({ unit }) => unit === where.unit) === false
  if (!isAway(looks?.latest) || !isAway(looks?.earlier)) return { ok: false, why: SINGLE_SURVEY }
  return ofDevice(context, finding)
}

function ofDevice(context: HealContext, { host, where }: Finding): DraftResult {
  const device = context.records.hosts.get(host!)?.devices.find(({ unit }) => unit === where.unit)
  if (host === null || device === undefined) return NO_SUBJECT
  const provider = device.provider ?? null
  const [was, is] = device.gone ? (['gone', 'present'] as const) : (['present', 'gone'] as const)
  const why =
    is === 'gone' ? 'Two surveys of the host did not report it.' : 'Two surveys of the host reported it again.'
  const line: Line = {
    row: 'unit',
    key: { host, unit: device.unit },
    before: { provider, state: was },
    after: { provider, state: is },
    host,
    why,
  }
  return plain([line], [])
}

const plain = (lines: readonly Line[], instances: readonly InstanceId[]): DraftResult => ({
  ...{ ok: true, lines, guards: NO_GUARDS, instances },
})

// Instances that may not be touched because a conductor runs their migration, build or deletion, and would write the
// same rows.

interface Lock {
  /** Ready to print. */
  readonly why: string
  /** The active migration: a repair whose subject is this migration may touch the instance. */
  readonly migration: MigrationId | null
}

const AT_WORK: Readonly<Record<string, string>> = { building: 'It is being built', deleting: 'It is being deleted' }

function locksOf(snapshot: Snapshot): ReadonlyMap<InstanceId, Lock> {
  const locks = new Map<InstanceId, Lock>()
  for (const instance of snapshot.instances) {
    const why = AT_WORK[instance.vmState]
    // No conductor runs a deletion that cannot be proved until the records are right.
    if (why !== undefined && !isParked(snapshot, instance)) locks.set(instance.id, { why, migration: null })
  }
  for (const { id, instance, operation, step } of snapshot.migrations) {
    if (step !== 'ended') locks.set(instance, { why: `A migration is active: ${operation} in ${step}`, migration: id })
  }
  return locks
}

function isParked(snapshot: Snapshot, instance: Instance): boolean {
  if (instance.vmState !== 'deleting') return false
  const books = indexSnapshot(snapshot)
  const held = claimsOf(books, instance.id)
  return deletionDisproof({ instance, held, nameOf: (host) => nameOf(books, host) }) !== null
}

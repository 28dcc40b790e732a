import type { Finding } from '../audit/finding'
import { fingerprintOf } from '../audit/identity'
import { type FindingKind, kindRow } from '../audit/kinds'
import type { Snapshot, SurveyResult } from '../audit/snapshot'
import { groupStrayAllocations, isOurs } from '../audit/unclaimed-row-checks'
import { type Guards, type Instance, instanceGuards, NO_GUARDS } from '../change'
import { keyOf, type Line } from '../rows'
import type { InstanceId } from '../words/ids'
import { isReadable } from '../words/unreadable'
import { contextOf, type HealContext } from './context'
import { type Draft, type DraftResult, draftOf } from './draft'
import { freedAmounts } from './freed-amounts'
import { linesBetween, putConsumer, putStrays, type RowImages } from './images'
import { type Lock, lockOf, locksOf } from './lock'
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
  const takesFirst = [...healings].sort(
    (a, b) => Number(raisesGenerations(b.healing)) - Number(raisesGenerations(a.healing)),
  )
  const taken = new Map<string, HealPart>()
  const raised = new Set<string>()
  const changed = new Set<string>()
  return takesFirst.map(({ finding, healing }) => {
    if (!healing.ok) return { finding, healing }
    const { part } = healing
    const instances = instanceGuards(part.guards).map(({ id }) => id)
    const other = part.lines.map((line) => taken.get(keyOf(line))).find((each) => each !== undefined)
    if (other !== undefined) return { finding, healing: { ok: false, why: `Repaired together with “${other.title}”.` } }
    if (raisesGenerations(healing) && relied(part.guards).some((provider) => raised.has(provider))) {
      return {
        finding,
        healing: { ok: false, why: 'Another part claims on the same host. Plan this one afterwards.' },
      }
    }
    if (instances.some((id) => changed.has(id))) {
      return {
        finding,
        healing: { ok: false, why: 'Another part changes the same instance. Plan this one afterwards.' },
      }
    }
    for (const id of instances) changed.add(id)
    for (const line of part.lines) taken.set(keyOf(line), part)
    if (raisesGenerations(healing)) for (const { provider } of part.guards.providers) raised.add(provider)
    return { finding, healing }
  })
}

const relied = ({ providers }: Guards) =>
  providers.flatMap(({ provider, generation }) => (generation === null ? [] : [provider]))
const raisesGenerations = (healing: HealResult): boolean => healing.ok && relied(healing.part.guards).length > 0

const SINGLE_SURVEY = 'Only one survey has shown this. Wait for the next one.'

function heal(context: HealContext, finding: Finding, locks: ReadonlyMap<InstanceId, Lock>): HealResult {
  const { instead, needsTwoSurveys, title } = kindRow(finding.kind)
  if (instead !== null) return { ok: false, why: instead }
  if (needsTwoSurveys && context.confidence(finding) !== 'likely') {
    return { ok: false, why: SINGLE_SURVEY }
  }
  const draft = (PLANNERS[finding.kind] ?? ofInstance)(context, finding)
  if (!draft.ok) return draft
  if (draft.lines.length === 0) return { ok: false, why: 'The records are already correct. Audit again.' }
  const { lines, guards, instances } = draft
  const locked = lockOf(finding, instances, locks)
  const name = subjectOf(context, finding)
  const fixed = { fingerprint: fingerprintOf(finding), finding, title: `${title}: ${name}`, lines, locked }
  const part = { ...fixed, guards: withInstances(context.records.instances, { guards, instances }) }
  return { ok: true, part: partOf({ ...part, givesBack: freedAmounts(lines) }) }
}

/**
 * Guards each instance that the part touches by its generation. An unreadable one cannot be raised, and needs no guard:
 * it accepts no migration.
 */
function withInstances(
  known: ReadonlyMap<InstanceId, Instance>,
  { guards, instances }: Pick<Draft, 'guards' | 'instances'>,
): Guards {
  const further = instances.flatMap((id) => {
    const row = known.get(id)
    return row && isReadable(row) && id !== guards.instance?.id ? [{ id, generation: row.generation }] : []
  })
  return further.length === 0 ? guards : { ...guards, furtherInstances: further }
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
  const surveys = context.snapshot.hostSurveys?.find((each) => each.host === host)
  const isAway = (survey: SurveyResult | null | undefined) =>
    survey?.answered === true && survey.devices?.some(({ unit }) => unit === where.unit) === false
  if (!isAway(surveys?.latest) || !isAway(surveys?.earlier)) return { ok: false, why: SINGLE_SURVEY }
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

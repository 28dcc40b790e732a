import { REFUSAL_TITLES } from '@/lists/refusal'
import type { HostVerdict, VerdictSummary } from '@/server/api/explain/verdicts'
import type { Silence } from '@/server/api/host/fleet-now'
import type { RefusalView } from '@/server/api/refusal/view'
import type { RefusalKind, RefusalLocation } from '@/server/engine/words/refusal'
import type { BadgeContent } from '../ui/Badge'
import { count, mib, pageSize, withoutUnitOf } from '../ui/format'

export const verdictWords = { source: 'source' } as const

export const verdictBadges: Readonly<Record<HostVerdict['verdict'], BadgeContent>> = {
  ok: { shape: 'tick', tone: 'ok', label: 'ok' },
  warning: { shape: 'triangle', tone: 'warn', label: 'warning' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
}

/** The engine judges capacity alone. On a host that does not answer, a migration would wait: a warning, not an ok. */
export const shownVerdict = (of: Pick<VerdictSummary, 'verdict' | 'silence'>): HostVerdict['verdict'] =>
  of.verdict === 'ok' && of.silence !== null ? 'warning' : of.verdict

/** Why a host that fits ranks last. */
export const silenceText = ({ since }: Silence): string =>
  since === null ? 'has never answered, ranked last' : 'does not answer, ranked last'

/** The rule in two or three words: column headers of the matrix and first words of a refusal. */
export const refusalTitles = REFUSAL_TITLES

export const refusalWords = {
  need: 'need',
  free: 'free',
  have: 'have',
  noSuch: (what: number | string) => `there is no ${what}`,
  requested: 'requested',
  allowed: 'allowed',
  shortBy: 'short by',
  heldBy: 'held by',
  huge: (kept: string) => `huge pages use ${kept}`,
  missing: (short: string, need: string) => `−${withoutUnitOf(need, short)} of ${need}`,
  more: (n: number) => `+${n} more`,
} as const

/** `have` for something that does not exist. */
const NOTHING = 'nothing'

/** Where on the host: `NUMA node 1, guest NUMA node 0, 1 GiB pages`. */
export function placeText(where: RefusalLocation): string {
  const parts = [
    where.hostCell === undefined ? null : `NUMA node ${where.hostCell}`,
    where.guestCell === undefined ? null : `guest NUMA node ${where.guestCell}`,
    where.pageKib === undefined ? null : `${pageSize(where.pageKib)} pages`,
    where.resourceClass ?? null,
    where.provider ?? null,
    where.requestId ?? null,
    where.unit ?? null,
    where.hugeMib === undefined ? null : refusalWords.huge(mib(where.hugeMib)),
    where.record ?? null,
    where.column === undefined ? null : `column ${where.column}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** An amount of a refusal with its unit, or the text as it is. */
export function quantity(value: number | string, unit: RefusalView['unit']): string {
  if (typeof value === 'string') return value
  if (unit === 'MiB') return mib(value)
  return unit ? `${count(value)} ${unit}` : count(value)
}

/** The title says what a host must be. */
const HOST_STATES: Partial<Record<RefusalKind, (status: string) => string>> = {
  'host-not-up': (status) => `the host is ${status}`,
  'host-disabled': () => 'no claims until its scheduling is enabled',
  'host-quarantined': () => 'no claims until it is cleaned up',
}

/**
 * `need 8 CPUs, free 4 CPUs, short by 4 CPUs`, `need X, have Y`, `requested 500, allowed at most 80`, `there is no X`,
 * or the reason itself.
 */
export function amountsText({ kind, need, free, have, shortBy, unit }: RefusalView): string {
  if (kind === 'unknown' && have === NOTHING) return refusalWords.noSuch(need)
  if (kind === 'not-permitted' && have) return have
  const state = HOST_STATES[kind]?.(have ?? '')
  if (state !== undefined) return state
  if (kind === 'amount-shape' && have) return `${refusalWords.requested} ${have}, ${refusalWords.allowed} ${need}`
  const parts = [
    need === '' ? null : `${refusalWords.need} ${quantity(need, unit)}`,
    free === null ? null : `${refusalWords.free} ${quantity(free, unit)}`,
    have ? `${refusalWords.have} ${have}` : null,
    shortBy === null ? null : `${refusalWords.shortBy} ${quantity(shortBy, unit)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The subjects of a sentence about refusing hosts. */
export interface CauseThings {
  readonly need: string
  readonly resource: string
  readonly pageKib: number | null
  /** None exists. */
  readonly none: boolean
}

type CauseText = (things: CauseThings) => string
type Phrase = (one: boolean, things: CauseThings) => string

const is = (one: boolean) => (one ? 'is' : 'are')
const has = (one: boolean) => (one ? 'has' : 'have')
const does = (verb: string) => (one: boolean) => (one ? `${verb}s` : verb)
const RESOURCES: Readonly<Record<string, string>> = {
  PCPU: 'pinned CPUs',
  VCPU: 'vCPUs',
  MEMORY_MB: 'memory',
  DISK_GB: 'disk',
}
const pagesOf = ({ pageKib }: CauseThings) => (pageKib === null ? 'huge pages' : `${pageSize(pageKib)} pages`)
const withThings = (name: string) => (things: CauseThings) => `hosts with ${things.none ? '' : 'enough '}${name}`

/** Rules about amounts, by what they count. */
const SHORT: Partial<Record<RefusalKind, CauseText>> = {
  amount: ({ resource }) => resource,
  'dedicated-cpus': () => 'pinned CPUs on one NUMA node',
  'shared-cpus': () => 'vCPUs on one NUMA node',
  'sibling-threads': () => 'free sibling threads',
  'whole-cores': () => 'free whole cores',
  'overcommit-cpus': () => 'vCPUs on one NUMA node',
  'overcommit-memory': () => 'memory on one NUMA node',
  memory: () => 'memory on one NUMA node',
  'ordinary-memory': () => 'memory in small pages',
  pages: (things) => `${pagesOf(things)} on one NUMA node`,
  'too-few-cells': () => 'NUMA nodes',
  devices: () => 'matching devices',
  'device-affinity': () => 'matching devices on the right NUMA node',
  vgpus: () => 'matching vGPUs',
  vpmem: () => 'matching vPMEM namespaces',
}

/** All other rules by which a host refuses. */
const RULES: Partial<Record<RefusalKind, Phrase>> = {
  'amount-shape': (one, { need, resource }) =>
    `${does('allow')(one)} ${need || 'another amount of'} ${resource} for one instance`,
  'no-inventory': (one, { resource }) => `${has(one)} no ${resource}`,
  'host-not-up': (one) => `${is(one)} not up`,
  'host-not-fenced': (one) => `${is(one)} not fenced`,
  'host-disabled': (one) => `${is(one)} disabled`,
  'host-quarantined': (one) => `${is(one)} quarantined`,
  'host-has-remains': (one) => `still ${has(one)} leftovers of this instance`,
  'host-is-source': (one) => `${is(one)} the source`,
  'other-hypervisor': (one, { need }) => `${is(one)} not driven by ${need}, as the source is`,
  'unreadable-record': (one) => `${has(one)} an unreadable record`,
  zone: (one, { need }) => `${is(one)} not in zone ${need}`,
  'aggregate-missing': (one, { need }) => `${is(one)} not in aggregate ${need}`,
  'aggregate-forbidden': (one) => `${is(one)} in a forbidden aggregate`,
  'trait-missing': (one, { need }) => `${does('lack')(one)} trait ${need}`,
  'trait-forbidden': (one) => `${has(one)} a forbidden trait`,
  affinity: (one) => `${does('break')(one)} the affinity of the group`,
  'anti-affinity': (one) => `${does('break')(one)} the anti-affinity of the group`,
  'cpu-model': (one, { need }) => `${has(one)} an incompatible CPU (needs ${need || 'another'})`,
  'device-not-migratable': (one) => `cannot take ${one ? 'its' : 'the'} devices in a live migration`,
  'page-size-change': () => 'would change the page size of the running instance',
  'storage-shared': (one) => `${does('share')(one)} storage with the source`,
  'storage-not-shared': (one) => `${does('share')(one)} no storage with the source`,
  'page-size': (one, things) => `${has(one)} no ${pagesOf(things)} of the requested size`,
  'thread-policy': () => 'cannot honor the CPU thread policy',
  'emulator-threads': (one) => `${has(one)} no CPU for the emulator threads`,
  'network-affinity': (one) => `${has(one)} no NUMA node near the network`,
  'no-joint-fit': (one) => `${has(one)} no NUMA nodes where everything fits together`,
  'search-exhausted': (one) => `${is(one)} undecided: the search reached its limit`,
}

/** Describes hosts by what they have because they pass a rule. */
const SCOPES: Partial<Record<RefusalKind, CauseText>> = {
  zone: ({ need }) => `hosts in zone ${need}`,
  'aggregate-missing': ({ need }) => `hosts in aggregate ${need}`,
  'trait-missing': ({ need }) => `hosts with trait ${need}`,
  'cpu-model': () => 'hosts with a compatible CPU',
  'no-inventory': ({ resource }) => `hosts with ${resource}`,
  'page-size': () => 'hosts with such pages',
  devices: withThings('matching devices'),
  vgpus: withThings('matching vGPUs'),
  vpmem: withThings('matching vPMEM namespaces'),
}

const scopeOf = (n: number, scope: string) => (n === 1 ? scope.replace('hosts', 'host') : scope)

export const summaryWords = {
  hosts: 'hosts',
  suitable: 'suitable hosts',
  others: 'other hosts',
  rest: 'remaining hosts',
  resource: (resourceClass: string | null) => RESOURCES[resourceClass ?? ''] ?? resourceClass ?? 'resources',
  /** `All 7 hosts with vGPUs are out of pinned CPUs.` */
  all: (n: number, scope: string, text: string) =>
    n === 1 ? `The only ${scopeOf(n, scope)} ${text}.` : `All ${count(n)} ${scope} ${text}.`,
  /** `3 other hosts are out of pinned CPUs.` */
  someOf: (n: number, scope: string, text: string) => `${count(n)} ${scopeOf(n, scope)} ${text}.`,
  of: (n: number, scope: string, parts: readonly string[]) => `Of ${count(n)} ${scope}, ${listOf(parts)}.`,
  some: (n: string, text: string) => `${n} ${text}`,
  forOther: (n: number) => `${count(n)} ${n === 1 ? 'refuses' : 'refuse'} for other reasons`,
  outOf: (one: boolean, what: string) => `${is(one)} out of ${what}`,
  shortOf: (one: boolean, what: string) => `${is(one)} short of ${what}`,
  shortOfBy: (one: boolean, what: string, [need, free]: readonly [need: string, free: string]) =>
    `${is(one)} short of ${what} (needs ${need}, at most ${free} free)`,
  has: (one: boolean, what: string) => `${has(one)} no ${what}`,
  tooLittle: (what: string) => `would not have enough ${what} even when empty`,
  short: SHORT,
  rules: RULES,
  other:
    (rule: RefusalKind): Phrase =>
    (one) =>
      `${does('refuse')(one)} (${refusalTitles[rule]})`,
  scopes: SCOPES,
} as const

function listOf(parts: readonly string[]): string {
  const [last, ...before] = [...parts].reverse()
  return before.length === 0 ? (last ?? '') : `${before.reverse().join(', ')} and ${last}`
}

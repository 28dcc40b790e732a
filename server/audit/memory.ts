import type { BrokenRecord, HostSurveys, ProjectedGeneration, Snapshot, SurveyResult } from '../engine/audit/snapshot'
import type { Instance } from '../engine/change'
import type { Host } from '../engine/host'
import type { HostId, InstanceId } from '../engine/words/ids'
import { isReadable } from '../engine/words/unreadable'
import type { ForestDifference, ProviderForest } from '../fleet/candidates-forest'
import type { Projection } from '../fleet/projection'
import { type DatedRow, type KnownSnapshot, readSnapshot, type SnapshotRead } from '../store/audit/snapshot'
import type { Database } from '../store/database/database'
import { readBrokenRecords } from '../store/decode/records'
import { correctUsed, type Miscount } from '../store/placement/usage'
import type { DomainObservation, SurveyRow } from '../store/survey/survey'

// The audit's input, cached between audits: only changes are read again, and an unchanged value is the same object, so
// that the auditor need not check it again. Rows can be written without event or generation, manually or by a fault; so
// everything is also read again at intervals.

export interface SnapshotCacheOptions {
  readonly database: Database
  readonly fleet: Pick<Projection, 'hosts' | 'adopt'>
  readonly forest: Pick<ProviderForest, 'audited'>
  now(): number
}

export interface ReadOptions {
  /** Reads every row, ignoring the cache. */
  readonly cold?: boolean
  /** Reads these again, regardless of their generation. */
  readonly hosts?: readonly HostId[]
  readonly instances?: readonly InstanceId[]
}

export interface AuditSnapshot {
  readonly snapshot: Snapshot
  readonly cold: boolean
  /** When it was read. */
  readonly at: number
}

export interface SnapshotCache {
  read(ask?: ReadOptions): Promise<AuditSnapshot>
}

const COLD_READ_INTERVAL_MS = 10 * 60_000 // longest time for which a row written without Berth goes unnoticed
const RECENT_MS = 15 * 60_000 // ended migrations of which a survey may still show traces

export function makeSnapshotCache(options: SnapshotCacheOptions): SnapshotCache {
  const memory = newMemory()
  let busy: Promise<unknown> = Promise.resolve()
  return {
    // One read after another: two at once would each treat the other's changes as already read.
    read: (ask = {}) => {
      const reading = busy.then(() => readNow(options, memory, ask))
      busy = reading.catch(() => {})
      return reading
    },
  }
}

interface Memory {
  seq: string | null
  coldAt: number
  readonly hosts: Map<HostId, Host>
  readonly instances: Map<InstanceId, DatedRow<Instance>>
  readonly surveys: Map<HostId, SurveyRow>
  /** Hosts whose memory has not reached the tables' state of that time. */
  readonly behind: Map<HostId, { readonly tables: number; readonly since: number }>
  /** Differences of the forest from the tables at the last full read. */
  forest: readonly ForestDifference[]
  miscounted: readonly Miscount[]
  /** Stray allocations of each host when it was read. */
  strayAllocations: ReadonlyMap<HostId, string>
  /** Rows that broke a rule of their table at the last full read. */
  records: readonly BrokenRecord[]
  /** One value for all equal flavors (and images), so that each is checked once. */
  readonly shapes: Map<string, unknown>
}

const newMemory = (): Memory => ({
  ...{ seq: null, coldAt: 0, hosts: new Map(), instances: new Map() },
  ...{
    surveys: new Map(),
    behind: new Map(),
    shapes: new Map(),
    strayAllocations: new Map(),
    forest: [],
    miscounted: [],
    records: [],
  },
})

async function readNow(options: SnapshotCacheOptions, memory: Memory, ask: ReadOptions): Promise<AuditSnapshot> {
  const at = options.now()
  const cold = ask.cold === true || memory.seq === null || at - memory.coldAt >= COLD_READ_INTERVAL_MS
  const endedSince = at - RECENT_MS
  const { hosts = [], instances = [] } = ask
  const read = await readSnapshot(options.database, {
    known: cold ? null : knownOf(memory),
    hosts,
    instances,
    endedSince,
  })
  if (!read.complete) return readNow(options, memory, { cold: true })
  const strayed = cold ? [] : strayedSince(memory, read)
  if (strayed.length > 0) return readNow(options, memory, { hosts: [...hosts, ...strayed], instances })
  if (cold) {
    for (const map of [memory.hosts, memory.instances, memory.surveys, memory.shapes]) map.clear()
    memory.coldAt = at
  }
  take(memory, read)
  if (cold) {
    options.fleet.adopt(read.hosts)
    memory.miscounted = await correctUsed(options.database)
    memory.forest = await options.forest.audited()
  }
  // A scan of whole tables, except while a row is known to be bad: then its repair shows at once.
  if (cold || memory.records.length > 0) memory.records = await readBrokenRecords(options.database)
  return { snapshot: snapshotOf(memory, read, { at, projected: projectedOf(options, memory, at) }), cold, at }
}

/**
 * Hosts whose stray allocations changed without a new generation: written without Berth. Usage counts them, so these
 * hosts are read again at once.
 */
function strayedSince({ strayAllocations }: Memory, read: SnapshotRead): HostId[] {
  const now = straysByHost(read)
  const again = new Set(read.hosts.map(({ id }) => id))
  return [...new Set([...strayAllocations.keys(), ...now.keys()])].filter(
    (id) => !again.has(id) && strayAllocations.get(id) !== now.get(id),
  )
}

function straysByHost({ strayAllocations }: SnapshotRead): Map<HostId, string> {
  const byHost = new Map<HostId, string[]>()
  for (const stray of strayAllocations) {
    if (stray.host !== null) byHost.set(stray.host, [...(byHost.get(stray.host) ?? []), JSON.stringify(stray)])
  }
  return new Map([...byHost].map(([host, rows]) => [host, rows.sort().join('\n')]))
}

function knownOf({ seq, hosts, surveys }: Memory): KnownSnapshot {
  const digests = [...surveys.values()].flatMap(({ host, digest }) =>
    digest === null ? [] : [[host, digest] as const],
  )
  return {
    seq: seq ?? '0',
    hosts: new Map([...hosts.values()].map((host) => [host.id, generationOf(host)])),
    surveys: new Map(digests),
  }
}

const generationOf = (host: Host): number => host.providers[0]?.generation ?? 0

function take(memory: Memory, read: SnapshotRead): void {
  memory.seq = read.seq
  memory.strayAllocations = straysByHost(read)
  for (const host of read.hosts) memory.hosts.set(host.id, host)
  for (const share of read.shares) withShare(memory, share)
  retainKeys(memory.hosts, new Set(read.allHosts))
  const found = new Set(read.instances.map(({ row }) => row.id))
  for (const id of read.requestedInstances) if (!found.has(id)) memory.instances.delete(id)
  for (const { row, at } of read.instances) memory.instances.set(row.id, { row: shared(memory, row), at })
  for (const survey of read.surveys)
    memory.surveys.set(survey.host, withDomains(survey, memory.surveys.get(survey.host)))
  retainKeys(memory.surveys, new Set(read.allHosts))
}

function withShare({ hosts }: Memory, share: Host['providers'][number]): void {
  for (const host of hosts.values()) {
    if (!host.providers.some(({ id }) => id === share.id)) continue
    hosts.set(host.id, { ...host, providers: host.providers.map((each) => (each.id === share.id ? share : each)) })
  }
}

function retainKeys<K>(map: Map<K, unknown>, keys: ReadonlySet<K>): void {
  for (const key of map.keys()) if (!keys.has(key)) map.delete(key)
}

function shared(memory: Memory, instance: Instance): Instance {
  return { ...instance, flavor: one(memory, instance.flavor), image: one(memory, instance.image) }
}

function one<T>({ shapes }: Memory, value: T): T {
  const key = JSON.stringify(value)
  const known = shapes.get(key) as T | undefined
  if (known !== undefined) return known
  shapes.set(key, value)
  return value
}

/** Omits domains that equal the cached ones. */
function withDomains(survey: SurveyRow, known: SurveyRow | undefined): SurveyRow {
  if (survey.digest === null || known?.digest !== survey.digest) return survey
  return { ...survey, guests: known.guests, devices: known.devices, earlier: known.earlier }
}

interface SnapshotTime {
  readonly at: number
  readonly projected: readonly ProjectedGeneration[]
}

function snapshotOf(memory: Memory, read: SnapshotRead, { at, projected }: SnapshotTime): Snapshot {
  const { migrations } = read
  // A migration counts by its step (see `observationsOf`), not by its row: one that is retried every few seconds would
  // outdate every survey, and stuck migrations are what the audit has to find.
  const written = new Map([...memory.instances].map(([id, instance]) => [id, instance.at]))
  return {
    hosts: [...memory.hosts.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    instances: [...memory.instances.values()].map(({ row }) => row),
    migrations: migrations.map(({ row }) => row),
    leases: migrations.flatMap(({ row: { id, fence }, owner }) =>
      owner === null ? [] : [{ migration: id, owner, fence }],
    ),
    groups: read.groups,
    now: at,
    hostSurveys: [...memory.surveys.values()].map(hostObservationsOf),
    written,
    strayAllocations: read.strayAllocations,
    swaps: read.swaps,
    foreignAllowed: read.foreignAllowed,
    looseConsumers: read.looseConsumers,
    mistypedConsumers: read.mistypedConsumers,
    looseRoots: read.looseRoots,
    projected,
    forest: memory.forest,
    miscounted: memory.miscounted,
    leftovers: read.leftovers,
    surveys: [...memory.surveys.values()].filter((survey) => !isReadable(survey)),
    records: memory.records,
    layouts: read.layouts,
  }
}

/** The last two surveys. If the last one got no answer, the domains seen before are kept with their age. */
function hostObservationsOf(survey: SurveyRow): HostSurveys {
  const { host, askedAt, answered, answeredAt, previousAt, guests: domains, devices, since, earlier } = survey
  const last = answeredAt === null || domains === null ? null : observationOf(answeredAt, { guests: domains, devices })
  const silence: SurveyResult = { at: askedAt, answered: false, domains: [], devices: null }
  if (!answered || last === null) return { host, latest: silence, earlier: last }
  if (previousAt !== null && since !== null && since < last.at) {
    return { host, latest: last, earlier: { ...last, at: previousAt } }
  }
  return { host, latest: last, earlier: earlier && observationOf(earlier.at, earlier) }
}

const observationOf = (
  at: number,
  { guests: domains, devices }: { guests: readonly DomainObservation[]; devices: SurveyResult['devices'] },
): SurveyResult => ({
  at,
  answered: true,
  domains: domains.map(({ instance, migration, observedState, power, claim, untagged }) => {
    return { instance, migration, observedState, ...(power && { power }), body: claim, ...(untagged && { untagged }) }
  }),
  devices,
})

// Memory follows the tables with a short delay, so a host that is written continuously is always slightly behind. It is
// out of step only when it has not reached the previous state of the tables.
function projectedOf({ fleet }: SnapshotCacheOptions, { hosts, behind }: Memory, at: number): ProjectedGeneration[] {
  const inMemory = new Map(fleet.hosts().map((host) => [host.id, generationOf(host)]))
  retainKeys(behind, new Set(hosts.keys()))
  return [...hosts.values()].map((host): ProjectedGeneration => {
    const memory = inMemory.get(host.id) ?? null
    const tables = generationOf(host)
    const since = behind.get(host.id)
    if (memory !== null && memory >= (since?.tables ?? 0)) behind.delete(host.id)
    if (memory !== null && memory >= tables) return { host: host.id, memory: tables, tables, differsSince: null }
    if (!behind.has(host.id)) behind.set(host.id, { tables, since: at })
    return { host: host.id, memory, tables, differsSince: behind.get(host.id)?.since ?? at }
  })
}

import type { HostLooks, Look, Projected, SeenRecord, Snapshot } from '../engine/audit/snapshot'
import type { Instance } from '../engine/books'
import type { Host } from '../engine/host'
import type { HostId, InstanceId } from '../engine/words/ids'
import { isReadable } from '../engine/words/unreadable'
import type { ForestDifference, ProviderForest } from '../fleet/candidates-forest'
import type { Projection } from '../fleet/projection'
import { type KnownSnapshot, readSnapshot, type SnapshotRead, type Written } from '../store/audit/snapshot'
import type { Database } from '../store/database/database'
import { readBrokenRecords } from '../store/decode/records'
import { type Miscount, recountUsed } from '../store/placement/usage'
import type { GuestSeen, SurveyRow } from '../store/survey/survey'

// The snapshot of an audit, kept for the next one: only changes are read again, and unchanged objects stay identical,
// so that the auditor need not judge them again. Rows can be written without any event or generation, by hand or by a
// fault; so everything is reread often enough, too.

export interface AuditMemoryOptions {
  readonly database: Database
  readonly fleet: Pick<Projection, 'hosts' | 'heard'>
  readonly forest: Pick<ProviderForest, 'audited'>
  now(): number
}

export interface ReadOptions {
  /** Reads every row, whatever is cached. */
  readonly cold?: boolean
  /** Rereads these, whatever their generation says. */
  readonly hosts?: readonly HostId[]
  readonly instances?: readonly InstanceId[]
}

export interface AuditSnapshot {
  readonly snapshot: Snapshot
  readonly cold: boolean
  /** When it was read. */
  readonly at: number
}

export interface AuditMemory {
  read(ask?: ReadOptions): Promise<AuditSnapshot>
}

const COLD_EVERY_MS = 10 * 60_000 // longest time for which a direct edit of a row goes unnoticed
const RECENT_MS = 15 * 60_000 // ended moves that a survey may still show traces of

export function makeAuditMemory(options: AuditMemoryOptions): AuditMemory {
  const memory = newMemory()
  let busy: Promise<unknown> = Promise.resolve()
  return {
    // One reading after another: two at once would each take the other's news for old.
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
  readonly instances: Map<InstanceId, Written<Instance>>
  readonly surveys: Map<HostId, SurveyRow>
  /** Hosts whose memory has not reached what the tables said then. */
  readonly behind: Map<HostId, { readonly tables: number; readonly since: number }>
  /** What the forest had otherwise than the tables when all was read. */
  forest: readonly ForestDifference[]
  miscounted: readonly Miscount[]
  /** Unattached rows of each host when it was read. */
  strays: ReadonlyMap<HostId, string>
  /** Rows that broke a rule of their table when all was read. */
  records: readonly SeenRecord[]
  /** One value for all flavors (and images) that read the same, so that each is judged once. */
  readonly shapes: Map<string, unknown>
}

const newMemory = (): Memory => ({
  ...{ seq: null, coldAt: 0, hosts: new Map(), instances: new Map() },
  ...{
    surveys: new Map(),
    behind: new Map(),
    shapes: new Map(),
    strays: new Map(),
    forest: [],
    miscounted: [],
    records: [],
  },
})

async function readNow(options: AuditMemoryOptions, memory: Memory, ask: ReadOptions): Promise<AuditSnapshot> {
  const at = options.now()
  const cold = ask.cold === true || memory.seq === null || at - memory.coldAt >= COLD_EVERY_MS
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
    options.fleet.heard(read.hosts)
    memory.miscounted = await recountUsed(options.database)
    memory.forest = await options.forest.audited()
  }
  // Scans whole tables, except while a row is known to be bad: then a fix shows immediately.
  if (cold || memory.records.length > 0) memory.records = await readBrokenRecords(options.database)
  return { snapshot: snapshotOf(memory, read, { at, projected: projectedOf(options, memory, at) }), cold, at }
}

/**
 * Hosts whose unattached allocations changed without a new generation: edited directly. Usage counts them, so these
 * hosts are reread now.
 */
function strayedSince({ strays }: Memory, read: SnapshotRead): HostId[] {
  const now = straysByHost(read)
  const again = new Set(read.hosts.map(({ id }) => id))
  return [...new Set([...strays.keys(), ...now.keys()])].filter(
    (id) => !again.has(id) && strays.get(id) !== now.get(id),
  )
}

function straysByHost({ strays }: SnapshotRead): Map<HostId, string> {
  const byHost = new Map<HostId, string[]>()
  for (const stray of strays) {
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
  memory.strays = straysByHost(read)
  for (const host of read.hosts) memory.hosts.set(host.id, host)
  for (const share of read.shares) withShare(memory, share)
  keepOnly(memory.hosts, new Set(read.allHosts))
  const found = new Set(read.instances.map(({ row }) => row.id))
  for (const id of read.askedInstances) if (!found.has(id)) memory.instances.delete(id)
  for (const { row, at } of read.instances) memory.instances.set(row.id, { row: shared(memory, row), at })
  for (const survey of read.surveys)
    memory.surveys.set(survey.host, withGuests(survey, memory.surveys.get(survey.host)))
  keepOnly(memory.surveys, new Set(read.allHosts))
}

function withShare({ hosts }: Memory, share: Host['providers'][number]): void {
  for (const host of hosts.values()) {
    if (!host.providers.some(({ id }) => id === share.id)) continue
    hosts.set(host.id, { ...host, providers: host.providers.map((each) => (each.id === share.id ? share : each)) })
  }
}

function keepOnly<K>(map: Map<K, unknown>, keys: ReadonlySet<K>): void {
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

/** Guests that are the ones known are not sent again. */
function withGuests(survey: SurveyRow, known: SurveyRow | undefined): SurveyRow {
  if (survey.digest === null || known?.digest !== survey.digest) return survey
  return { ...survey, guests: known.guests, devices: known.devices, earlier: known.earlier }
}

interface Moment {
  readonly at: number
  readonly projected: readonly Projected[]
}

function snapshotOf(memory: Memory, read: SnapshotRead, { at, projected }: Moment): Snapshot {
  const { moves } = read
  // A migration counts by its step (see `observationsOf`), not by its row: with a retry every few seconds every
  // observation would be stale, and stuck migrations matter most.
  const written = new Map([...memory.instances].map(([id, instance]) => [id, instance.at]))
  return {
    hosts: [...memory.hosts.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    instances: [...memory.instances.values()].map(({ row }) => row),
    migrations: moves.map(({ row }) => row),
    leases: moves.flatMap(({ row: { id, fence }, owner }) => (owner === null ? [] : [{ migration: id, owner, fence }])),
    groups: read.groups,
    now: at,
    looks: [...memory.surveys.values()].map(looksOf),
    written,
    strays: read.strays,
    swaps: read.swaps,
    foreignAllowed: read.foreignAllowed,
    looseConsumers: read.looseConsumers,
    mistypedConsumers: read.mistypedConsumers,
    looseRoots: read.looseRoots,
    projected,
    forest: memory.forest,
    miscounted: memory.miscounted,
    remains: read.remains,
    surveys: [...memory.surveys.values()].filter((survey) => !isReadable(survey)),
    records: memory.records,
    layouts: read.layouts,
  }
}

/** The last two surveys. When the last one got no answer, the earlier domains are kept with their age. */
function looksOf(survey: SurveyRow): HostLooks {
  const { host, askedAt, answered, answeredAt, previousAt, guests, devices, since, earlier } = survey
  const last = answeredAt === null || guests === null ? null : lookOf(answeredAt, { guests, devices })
  const silence: Look = { at: askedAt, answered: false, guests: [], devices: null }
  if (!answered || last === null) return { host, latest: silence, earlier: last }
  if (previousAt !== null && since !== null && since < last.at) {
    return { host, latest: last, earlier: { ...last, at: previousAt } }
  }
  return { host, latest: last, earlier: earlier && lookOf(earlier.at, earlier) }
}

const lookOf = (at: number, { guests, devices }: { guests: readonly GuestSeen[]; devices: Look['devices'] }): Look => ({
  at,
  answered: true,
  guests: guests.map(({ instance, migration, observedState, power, claim }) => {
    return { instance, migration, observedState, ...(power && { power }), body: claim }
  }),
  devices,
})

// Memory lags the tables slightly, so a busy host is always a little behind. It is out of step only when it has not
// reached an earlier state of the tables.
function projectedOf({ fleet }: AuditMemoryOptions, { hosts, behind }: Memory, at: number): Projected[] {
  const inMemory = new Map(fleet.hosts().map((host) => [host.id, generationOf(host)]))
  keepOnly(behind, new Set(hosts.keys()))
  return [...hosts.values()].map((host): Projected => {
    const memory = inMemory.get(host.id) ?? null
    const tables = generationOf(host)
    const since = behind.get(host.id)
    if (memory !== null && memory >= (since?.tables ?? 0)) behind.delete(host.id)
    if (memory !== null && memory >= tables) return { host: host.id, memory: tables, tables, differsSince: null }
    if (!behind.has(host.id)) behind.set(host.id, { tables, since: at })
    return { host: host.id, memory, tables, differsSince: behind.get(host.id)?.since ?? at }
  })
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  CloudConsumer,
  CloudMigration,
  CloudServer,
  CloudSnapshot,
  CloudTopology,
  Part,
  UnavailablePart,
} from '../../engine/cloud/snapshot'
import type { CloudClient } from '../client'
import { FutureTimestamps } from './future-timestamps'
import {
  readAggregates,
  readFlavors,
  readGroups,
  readHypervisors,
  readJob,
  readMigrations,
  readServer,
  readServers,
  readServices,
  readTopology,
  readZones,
} from './nova-lists'
import { newest, unreadPart, withRows, withServers } from './parts'
import { readConsumer } from './placement-trees'
import { type Holders, TreeMirror } from './tree-mirror'

// The known state of one cloud, kept current by reading changes. A whole pass replaces everything: it finds what no
// list of changes reports, such as archived rows, or writes while the cloud's clock was set back.

export const INTERVALS = { movingMs: 3_000, atRestMs: 8_000, listsMs: 30_000, wholeMs: 15 * 60_000 } as const

/** Details read per poll of changes, so that one poll stays small. */
const MAX_DETAILS = 20
/** Delay of a second list of all instances after the first: a row that it omitted is in no list of changes. */
const RELIST_DELAY_MS = 60_000
/** Few, unless much is wrong; then a poll takes longer. */
const MAX_SUSPECTS = 200

type Lists = Pick<CloudSnapshot, 'services' | 'hypervisors' | 'aggregates' | 'zones' | 'groups' | 'flavors'>

/** Dates of answers are whole seconds. */
const SECOND_MS = 1_000

type KeyedPart<T> = Part<ReadonlyMap<string, T>>

export class CloudMirror {
  readonly #client: CloudClient
  #lists: Lists = {
    ...{ services: unreadPart(), hypervisors: unreadPart(), aggregates: unreadPart() },
    ...{ zones: unreadPart(), groups: unreadPart(), flavors: unreadPart() },
  }
  #servers: KeyedPart<CloudServer> = unreadPart()
  #migrations: KeyedPart<CloudMigration> = unreadPart()
  readonly #trees: TreeMirror
  readonly #consumers = new Map<string, Part<CloudConsumer>>()
  readonly #topologies = new Map<string, { readonly of: string; readonly part: Part<CloudTopology> }>()
  /** Known before, missing from a whole list and not queried by id yet: no list proves that an instance is gone. */
  readonly #missing = new Set<string>()
  /** Consumers that are no instance, with the time of Nova's answer: it is queried again after a while. */
  readonly #absent = new Map<string, number>()
  #isAllKnown = false
  #isListedAgain = false
  readonly #serversAhead = new FutureTimestamps()
  readonly #migrationsAhead = new FutureTimestamps()
  /** Monotonic times of the last passes. */
  #wholeAt: number | null = null
  #listsAt: number | null = null
  /** Steps of the cloud's clock before the last whole pass. */
  #clockSteps = 0
  #isMoving = false
  #failure: UnavailablePart | null = null

  constructor(client: CloudClient) {
    this.#client = client
    this.#trees = new TreeMirror(client)
  }

  /** Why the last pass did not read instances, migrations or providers; null when it did. */
  get failure(): string | null {
    return this.#failure?.why ?? null
  }

  /** Something changed since the previous poll, or is in progress. */
  get isMoving(): boolean {
    return this.#isMoving
  }

  /** Reads what is due: everything, or what changed. */
  async poll(): Promise<void> {
    const now = this.#client.monotonicMs()
    const isDue = this.#wholeAt === null || now - this.#wholeAt >= INTERVALS.wholeMs
    return isDue ? this.whole() : this.changes()
  }

  async whole(): Promise<void> {
    const client = this.#client
    const { clockSteps } = client
    // Placement first: a consumer seen before a list of Nova without it does not belong to a future instance.
    const trees = await this.#trees.whole()
    const [servers, migrations] = await Promise.all([
      ...[readServers(client, null), readMigrations(client, {}), this.#readLists()],
    ] as const)
    const listed = keyed(servers, ({ there }) => there.map((row) => [row.id, row]))
    if (listed.isRead) this.#withoutUnlisted(listed.value)
    this.#servers = newest(this.#servers, listed)
    this.#migrations = newest(
      this.#migrations,
      keyed(migrations, (rows) => rows.map((row) => [row.uuid, row])),
    )
    await this.askUnknown()
    await nextTurn()
    this.#isMoving = this.#movingServers().length > 0
    this.#forgetGone()
    this.#failure = failureIn([servers, migrations, trees])
    if (this.#failure !== null) return
    this.#wholeAt = client.monotonicMs()
    // The order of two answers is unknown across a step.
    if (this.#clockSteps !== clockSteps) this.#consumers.clear()
    this.#clockSteps = clockSteps
  }

  #withoutUnlisted(listed: Pick<ReadonlySet<string>, 'has'>): void {
    if (!this.#servers.isRead) return
    const rows = [...this.#servers.value]
    for (const [id] of rows) if (!listed.has(id)) this.#missing.add(id)
    this.#servers = { ...this.#servers, value: new Map(rows.filter(([id]) => listed.has(id))) }
  }

  /** `lists`: also what belongs to hosts, which is otherwise read less often. */
  async changes({ lists = false } = {}): Promise<void> {
    const client = this.#client
    if (!this.#servers.isRead || !this.#migrations.isRead || !this.#trees.part.isRead) return this.whole()
    const { at: serversAt } = this.#servers
    const { at: migrationsAt } = this.#migrations
    const now = client.monotonicMs()
    const isDue = this.#listsAt === null || now - this.#listsAt >= INTERVALS.listsMs
    const isAll = !this.#isListedAgain && now - (this.#wholeAt ?? now) >= RELIST_DELAY_MS
    // Before Nova's lists, like all of Placement: see `whole`.
    const trees = await this.#trees.changes(this.#holders())
    const [services, servers, migrations] = await Promise.all([
      readServices(client),
      readServers(client, isAll ? null : serversAt),
      readMigrations(client, isAll ? {} : { since: migrationsAt }),
      lists || isDue ? this.#readLists() : null,
    ])
    // Writes while the clock was set back are in no list of changes, so none of them proves anything now.
    if (client.clockSteps !== this.#clockSteps) return this.whole()
    this.#failure = failureIn([servers, migrations, trees])
    this.#lists = { ...this.#lists, services: newest(this.#lists.services, services) }
    const changed = [
      ...(servers.isRead ? servers.value.there.filter(({ updatedAt }) => updatedAt >= serversAt) : []),
      ...(migrations.isRead ? migrations.value.filter(({ updatedAt }) => (updatedAt ?? 0) >= migrationsAt) : []),
    ]
    this.#isListedAgain ||= isAll && this.#failure === null
    if (servers.isRead) this.#servers = withServers(this.#servers, servers)
    // A whole list reports no deletion, and the next list of changes begins where it was read.
    if (servers.isRead && isAll) this.#withoutUnlisted(new Set(servers.value.there.map(({ id }) => id)))
    if (migrations.isRead) this.#migrations = withRows(this.#migrations, migrations.value, migrations.at)
    await Promise.all([this.#readMoving(), this.askUnknown()])
    await nextTurn()
    this.#isMoving = changed.length > 0 || this.#movingServers().length > 0
    this.#forgetGone()
  }

  /**
   * Reads the allocations of each of these consumers, with project and user. Returns true if an audit may now have
   * other findings: the lists had more for a consumer, and were read again; or Nova does not know a consumer, and only
   * this answer shows that it still has allocations.
   */
  async readConsumers(consumers: readonly string[]): Promise<boolean> {
    const read = await Promise.all(consumers.map(async (id) => [id, await readConsumer(this.#client, id)] as const))
    for (const [id, part] of read) this.#consumers.set(id, newest(this.#consumers.get(id) ?? unreadPart(), part))
    const isReleased = await this.#trees.readReleased(read)
    return isReleased || consumers.some((id) => !this.#isListed(id))
  }

  /**
   * Queries Nova by id where its lists and Placement's disagree: for consumers in no list, because lists omit rows
   * while a cell is down, and for instances that do not hold exactly their own node, because writes while the clock was
   * set back are in no list of changes. Returns how many consumers are still to be queried; until there are none, the
   * instances are not complete.
   */
  async askUnknown(): Promise<number> {
    if (!this.#servers.isRead || !this.#migrations.isRead) return 0
    const { value: servers } = this.#servers
    const migrations = this.#migrations.value
    await nextTurn()
    const held = this.#trees.held()
    this.#forgetAnswered(servers, held)
    const isKnown = (id: string) => servers.has(id) || migrations.has(id) || this.#absent.has(id)
    const unknown = [...new Set([...this.#missing, ...[...held].filter((id) => !isKnown(id))])]
    await nextTurn()
    const elsewhere = (await this.#heldElsewhere()).slice(0, MAX_SUSPECTS)
    const askedNow = unknown.slice(0, MAX_DETAILS)
    const again = this.#longAbsent().slice(0, MAX_DETAILS - askedNow.length)
    const ids = [...askedNow, ...again, ...elsewhere]
    const [answers] = await Promise.all([
      Promise.all(ids.map((id) => readServer(this.#client, id))),
      this.#readMigrationsOf(elsewhere),
    ])
    const there = answers.flatMap((answer) => answer ?? [])
    const gone = ids.filter((_, at) => answers[at] === null)
    for (const id of gone) this.#absent.set(id, this.#client.monotonicMs())
    if (this.#servers.isRead) this.#servers = withServers(this.#servers, { ...this.#servers, value: { there, gone } })
    const answered = askedNow.filter((_, at) => answers[at] !== undefined)
    for (const id of answered) this.#missing.delete(id)
    const left = unknown.length - answered.length
    this.#isAllKnown = left === 0
    return left
  }

  /** A listed instance is neither missing nor absent, and a consumer that holds nothing needs no query. */
  #forgetAnswered(servers: ReadonlyMap<string, CloudServer>, held: ReadonlySet<string>): void {
    for (const id of this.#missing) if (servers.has(id)) this.#missing.delete(id)
    for (const id of this.#absent.keys()) if (servers.has(id) || !held.has(id)) this.#absent.delete(id)
  }

  #longAbsent(): readonly string[] {
    const now = this.#client.monotonicMs()
    return [...this.#absent].flatMap(([id, at]) => (now - at >= INTERVALS.wholeMs ? [id] : []))
  }

  /** Topologies of up to `most` instances that `wants` selects and that changed. Returns how many are left. */
  async readTopologies(wants: (server: CloudServer) => boolean, most = MAX_DETAILS): Promise<number> {
    const due = this.#rows().filter(
      (server) => wants(server) && this.#topologies.get(server.id)?.of !== stateOf(server),
    )
    await Promise.all(due.slice(0, most).map((server) => this.#readTopology(server)))
    return Math.max(0, due.length - most)
  }

  /** Topologies of these instances, changed or not: a finding counts when its facts were read twice. */
  async readAgain(instances: readonly string[]): Promise<void> {
    const wanted = new Set(instances)
    await Promise.all(this.#rows().flatMap((server) => (wanted.has(server.id) ? [this.#readTopology(server)] : [])))
  }

  /** These instances by id, because a list may omit one that changed. Returns true if one differs from before. */
  async readServersAgain(instances: readonly string[]): Promise<boolean> {
    const ids = [...new Set(instances)].slice(0, MAX_SUSPECTS)
    if (ids.length === 0) return false
    const answers = await Promise.all(ids.map((id) => readServer(this.#client, id)))
    if (!this.#servers.isRead) return false
    const { value: before } = this.#servers
    const there = answers.flatMap((answer) => answer ?? [])
    const gone = ids.filter((id, at) => answers[at] === null && before.has(id))
    this.#servers = withServers(this.#servers, { ...this.#servers, value: { there, gone } })
    return gone.length > 0 || there.some((row) => before.get(row.id)?.updatedAt !== row.updatedAt)
  }

  async #readTopology(server: CloudServer): Promise<void> {
    const part = await readTopology(this.#client, server.id)
    const before = this.#topologies.get(server.id)?.part ?? unreadPart()
    this.#topologies.set(server.id, { of: part.isRead ? stateOf(server) : '', part: newest(before, part) })
  }

  snapshot(): CloudSnapshot {
    const { services } = this.#lists
    const isUp = services.isRead && services.complete
    const servers = partial(this.#servers, isUp && this.#isAllKnown)
    const migrations = partial(this.#migrations, isUp)
    const trees = this.#trees.part
    const parts = [...Object.values(this.#lists), servers, migrations, trees, ...this.#consumers.values()]
    const { steadySince } = this.#client
    const clock = this.#client.now() ?? 0
    // Parts read before the clock was set back have no comparable time.
    const times = parts.flatMap((part: Part<unknown>) => (part.isRead && part.at <= clock + SECOND_MS ? [part.at] : []))
    const now = Math.max(0, ...times)
    return {
      now,
      ...(steadySince !== null && { steadySince }),
      ...this.#lists,
      servers: valuesOf(servers, (row) => this.#serversAhead.dated(row, { now, steadySince })),
      migrations: valuesOf(migrations, (row) => this.#migrationsAhead.dated(row, { now, steadySince })),
      providers: valuesOf(trees, ({ provider }) => provider),
      consumers: new Map(this.#consumers),
      topologies: new Map([...this.#topologies].map(([id, { part }]) => [id, part])),
      // Not read: no check relies on them. A cloud itself has no answers of hypervisors.
      ...{ domains: new Map(), deadHosts: new Map() },
    }
  }

  /** Names of nodes, by the id of their provider; null: not read yet. */
  #nodes(): ReadonlyMap<string, string> | null {
    const { hypervisors } = this.#lists
    return hypervisors.isRead ? new Map(hypervisors.value.map(({ id, node }) => [id, node])) : null
  }

  /** Null: not yet known. */
  #holders(): Holders | null {
    const nodes = this.#nodes()
    if (!this.#servers.isRead || !this.#migrations.isRead || nodes === null) return null
    return { servers: this.#servers.value, migrations: this.#migrations.value, nodes }
  }

  #isListed(id: string): boolean {
    return [this.#servers, this.#migrations].some((part) => part.isRead && part.value.has(id))
  }

  #rows(): readonly CloudServer[] {
    return this.#servers.isRead ? [...this.#servers.value.values()] : []
  }

  #movingServers(): readonly CloudServer[] {
    return this.#rows().filter(({ taskState }) => taskState !== null)
  }

  async #readLists(): Promise<void> {
    const client = this.#client
    const before = this.#lists
    const [services, hypervisors, aggregates, zones, groups, flavors] = await Promise.all([
      ...[readServices(client), readHypervisors(client), readAggregates(client)],
      ...[readZones(client), readGroups(client), readFlavors(client)],
    ] as const)
    this.#lists = {
      ...{ services: newest(before.services, services), hypervisors: newest(before.hypervisors, hypervisors) },
      ...{ aggregates: newest(before.aggregates, aggregates), zones: newest(before.zones, zones) },
      ...{ groups: newest(before.groups, groups), flavors: newest(before.flavors, flavors) },
    }
    this.#listsAt = client.monotonicMs()
  }

  /** A record never written a second time has no time of change, so changes-since does not report it. */
  #readMoving = (): Promise<void> =>
    this.#readMigrationsOf(
      this.#movingServers()
        .slice(0, MAX_DETAILS)
        .map(({ id }) => id),
    )

  async #readMigrationsOf(instances: readonly string[]): Promise<void> {
    const read = await Promise.all(instances.map((instance) => readMigrations(this.#client, { instance })))
    const rows = read.flatMap((part) => (part.isRead ? part.value : []))
    const withJobs = await Promise.all(
      rows.map(async (row) => {
        const job = row.status === 'running' ? await readJob(this.#client, row.instance, row.id) : null
        return job ? { ...row, job } : row
      }),
    )
    if (this.#migrations.isRead) this.#migrations = withRows(this.#migrations, withJobs, this.#migrations.at)
  }

  /** Instances that hold nothing of their own node, or something of another one. */
  async #heldElsewhere(): Promise<readonly string[]> {
    const nodes = this.#nodes()
    const nodeOf = nodes && (await this.#trees.nodesHeld(nodes))
    if (!nodeOf) return []
    await nextTurn()
    return this.#rows().flatMap(({ id, host, node }) =>
      host !== null && (node === null || nodeOf.get(id) !== node) ? [id] : [],
    )
  }

  /** Drops details of instances and consumers that are gone. */
  #forgetGone(): void {
    if (!this.#servers.isRead || !this.#trees.part.isRead) return
    const { value: servers } = this.#servers
    const held = this.#trees.held()
    for (const id of this.#topologies.keys()) if (!servers.has(id)) this.#topologies.delete(id)
    for (const id of this.#consumers.keys()) if (!servers.has(id) && !held.has(id)) this.#consumers.delete(id)
  }
}

const failureIn = (parts: readonly Part<unknown>[]): UnavailablePart | null =>
  parts.find((part) => !part.isRead) ?? null

/** A topology is read again when this changes. */
const stateOf = ({ host, updatedAt }: CloudServer) => `${host} ${updatedAt}`

function keyed<R, T>(part: Part<R>, entries: (read: R) => readonly (readonly [string, T])[]): KeyedPart<T> {
  return part.isRead ? { ...part, value: new Map(entries(part.value)) } : (part satisfies UnavailablePart)
}

const partial = <T>(part: Part<T>, complete: boolean): Part<T> =>
  part.isRead && !complete ? { ...part, complete } : part

const valuesOf = <T, R>(part: KeyedPart<T>, of: (row: T) => R): Part<readonly R[]> =>
  part.isRead ? { ...part, value: [...part.value.values()].map(of) } : part

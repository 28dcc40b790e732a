import { isDeepStrictEqual } from 'node:util'
import { type Change, lostBasis } from '../engine/change'
import type { Host } from '../engine/host'
import { raisedBy } from '../engine/ledger/raised'
import type { PreparedHost } from '../engine/topology/numa'
import type { HostId, ProviderId } from '../engine/words/ids'
import type { CommitResult } from '../store/commit/commit'
import type { Database } from '../store/database/database'
import type { EventFeed } from '../store/event/feed'
import type { FleetEvent } from '../store/event/read'
import { readHosts, readSharing } from '../store/host/read'
import { HostEntry } from './host-entry'

// All hosts and holdings in memory. Fed by the event sequence, and by this server's own commits; a stale snapshot costs
// a retry, never a wrong claim, because the commit checks every generation it was decided on.

export interface ProjectionOptions {
  readonly database: Database
  readonly feed: EventFeed
  readonly onFailure: (error: unknown) => void
}

type Listener = (hosts: readonly HostId[]) => void

const RETRY_MS = 500 // after a failed read; meanwhile decisions use the known state

export class Projection {
  readonly #options: ProjectionOptions
  readonly #entries = new Map<HostId, HostEntry>()
  readonly #listeners = new Set<Listener>()
  readonly #stale = new Set<HostId>()
  readonly #staleSharing = new Set<ProviderId>()
  /** Providers that any host shares, or did: one too many costs a read. */
  readonly #sharing = new Set<ProviderId>()
  readonly #unfollow: () => void
  #list: readonly Host[] | null = null
  #order: readonly HostEntry[] | null = null
  #reading: Promise<void> | null = null
  #retry: NodeJS.Timeout | undefined
  #stopped = false

  private constructor(options: ProjectionOptions) {
    this.#options = options
    this.#unfollow = options.feed.follow((events) => this.#acceptAction(events))
  }

  /** Loads every host. Following begins before reading, so nothing falls between. */
  static async open(options: ProjectionOptions): Promise<Projection> {
    const projection = new Projection(options)
    projection.#take(await readHosts(options.database))
    return projection
  }

  /** As in the tables, by name. The same array until something changes. */
  hosts(): readonly Host[] {
    this.#list ??= this.#inOrder().map(({ known }) => known)
    return this.#list
  }

  host(id: HostId): Host | null {
    return this.#entries.get(id)?.known ?? null
  }

  /** Including this server's pending changes: for decisions, not for display. */
  ahead(id: HostId): Host | null {
    return this.#entries.get(id)?.ahead ?? null
  }

  /** The `prepared` argument of `decide` for the host from `ahead`. */
  prepared(id: HostId): PreparedHost | undefined {
    return this.#entries.get(id)?.prepared
  }

  hostsAhead(): readonly Host[] {
    return this.#inOrder().map(({ ahead }) => ahead)
  }

  // The order is cached: hosts are rarely added, removed or renamed, but their holdings change constantly.
  #inOrder(): readonly HostEntry[] {
    this.#order ??= [...this.#entries.values()].sort((a, b) =>
      a.known.name < b.known.name ? -1 : a.known.name > b.known.name ? 1 : 0,
    )
    return this.#order
  }

  /** `ahead` at this generation or a later one: a host changed by another writer is read first. */
  async aheadAt(id: HostId, generation: number | null): Promise<Host | null> {
    const known = this.ahead(id)
    const at = known?.providers[0]?.generation
    if (at === undefined || (generation !== null && at < generation)) await this.refresh([id])
    return this.ahead(id)
  }

  /**
   * As in the tables at this generation or a later one. A pending change may have taken that generation for itself, so
   * what hosts are ordered to do is taken from here, not from `aheadAt`.
   */
  async committedAt(id: HostId, generation: number): Promise<Host | null> {
    const isBehind = () => (this.#entries.get(id)?.generation ?? -1) < generation
    if (isBehind()) await this.#entries.get(id)?.answered()
    if (isBehind()) await this.refresh([id])
    return this.host(id)
  }

  /** How often another writer's change required a read of the host. */
  timesRead(id: HostId): number {
    return this.#entries.get(id)?.timesRead ?? 0
  }

  /** Called with the hosts that changed. Returns a function that unsubscribes. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * All commits go through here, so that the next decision on the same hosts includes the pending ones.
   *
   * @example const result = await projection.commit(change, queue.commit)
   */
  async commit(change: Change, send: (change: Change) => Promise<CommitResult>): Promise<CommitResult> {
    const conflict = lostBasis(change)
    if (conflict) {
      await this.#reload()
      return { ok: false, conflict }
    }
    const touched = raisedBy(change)
    let resolve = () => {}
    const answered = new Promise<void>((resolved) => {
      resolve = resolved
    })
    for (const id of touched) this.#entries.get(id as HostId)?.expect(change, answered)
    try {
      const committed = await send(change)
      if (committed.ok) this.#applyCommitted(change, committed.raised, touched)
      else await this.#conflict(change, touched)
      return committed
    } catch (error) {
      this.#lost(change, touched)
      throw error
    } finally {
      resolve()
    }
  }

  /** Reads hosts again now. */
  async refresh(ids: readonly HostId[]): Promise<void> {
    for (const id of ids) this.#stale.add(id)
    await this.#reload()
  }

  /** Adopts hosts just read whole by another reader: rows may have been edited directly. */
  adopt(hosts: readonly Host[]): void {
    // A host's generation does not say whether what it shares was read before or after what is known of it.
    for (const { id, providers } of hosts) {
      const known = this.host(id)?.providers
      for (const provider of providers.filter(({ sharing }) => sharing)) {
        const same = known?.find((each) => each.id === provider.id)
        if (!isDeepStrictEqual(same, provider)) this.#staleSharing.add(provider.id)
      }
    }
    this.#take(hosts)
    void this.#reload()
  }

  /** Resolves when everything known to be stale has been reread. */
  async settled(): Promise<void> {
    while (this.#reading) await this.#reading
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unfollow()
    clearTimeout(this.#retry)
    await this.#reading
  }

  #applyCommitted(change: Change, raised: Readonly<Record<string, number>>, touched: ReadonlySet<string>): void {
    const changed: HostId[] = []
    for (const id of new Set([...touched, ...Object.keys(raised)])) {
      const entry = this.#entries.get(id as HostId)
      if (!entry) this.#staleIfShared(id)
      else if (entry.applyCommitted(change, raised)) changed.push(entry.known.id)
      else this.#stale.add(entry.known.id)
    }
    this.#tell(changed)
    void this.#reload()
  }

  // The conflicting write is not fully known here, so everything in the change is reread before the caller retries.
  async #conflict(change: Change, touched: ReadonlySet<string>): Promise<void> {
    this.#lost(change, touched)
    await this.#reload()
  }

  #lost(change: Change, touched: ReadonlySet<string>): void {
    for (const id of touched) {
      const entry = this.#entries.get(id as HostId)
      entry?.fail(change)
      if (entry) this.#stale.add(entry.known.id)
      else this.#staleIfShared(id)
    }
  }

  #acceptAction(events: readonly FleetEvent[]): void {
    for (const { hosts, raised } of events) {
      for (const host of hosts) if (!this.#entries.has(host)) this.#stale.add(host)
      for (const [provider, generation] of Object.entries(raised)) this.#adoptRaise(provider, generation)
    }
    void this.#reload()
  }

  #adoptRaise(provider: string, generation: number): void {
    const entry = this.#entries.get(provider as HostId)
    if (entry) {
      if (entry.generation < generation) this.#stale.add(entry.known.id)
    } else {
      this.#staleIfShared(provider)
    }
  }

  // A child of a host's tree never changes without its root, so a non-host id matters only when shared. Every write of
  // a Placement client passes here, mostly about its own providers, so this must not iterate over hosts.
  #staleIfShared(provider: string): void {
    if (this.#sharing.has(provider as ProviderId)) this.#staleSharing.add(provider as ProviderId)
  }

  #reload(): Promise<void> {
    if (this.#stopped || (this.#stale.size === 0 && this.#staleSharing.size === 0)) {
      return this.#reading ?? Promise.resolve()
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    while (!this.#stopped && (this.#stale.size > 0 || this.#staleSharing.size > 0)) {
      const ids = [...this.#stale]
      const shared = [...this.#staleSharing]
      this.#stale.clear()
      this.#staleSharing.clear()
      try {
        this.#take(await readHosts(this.#options.database, ids), ids)
        for (const provider of await readSharing(this.#options.database, shared)) {
          for (const entry of this.#entries.values()) entry.share(provider)
        }
        if (shared.length > 0) this.#tell([...this.#entries.keys()])
      } catch (error) {
        for (const id of ids) this.#stale.add(id)
        for (const id of shared) this.#staleSharing.add(id)
        if (!this.#stopped) this.#options.onFailure(error)
        this.#retry = setTimeout(() => void this.#reload(), RETRY_MS)
        return
      }
    }
  }

  /** `asked` without a result: the host no longer exists. */
  #take(hosts: readonly Host[], asked: readonly HostId[] = []): void {
    for (const id of asked) if (!hosts.some((host) => host.id === id) && this.#entries.delete(id)) this.#order = null
    for (const host of hosts) {
      if (this.#entries.get(host.id)?.known.name !== host.name) this.#order = null
      for (const { id, sharing } of host.providers) if (sharing) this.#sharing.add(id)
      const entry = this.#entries.get(host.id)
      if (entry) entry.read(host)
      else this.#entries.set(host.id, new HostEntry(host))
    }
    this.#tell([...new Set([...asked, ...hosts.map(({ id }) => id)])])
  }

  #tell(hosts: readonly HostId[]): void {
    if (hosts.length === 0) return
    this.#list = null
    for (const listener of [...this.#listeners]) listener(hosts)
  }
}

import { type Forest, type ForestProvider, SHARES, type Tree } from '../engine/resources/forest'
import type { Database } from '../store/database'
import { readRoots, readTrees, readUnread, type UnreadChange } from '../store/placement/forest-read'

// The forest of all providers in memory. Before each answer one small statement asks what was committed since the last
// one, so a reader always sees its own writes and everybody else's; only trees that changed are read again.

export class ProviderForest implements Forest {
  readonly #database: Database
  readonly #trees = new Map<string, Tree>()
  readonly #providers = new Map<string, ForestProvider>()
  readonly #sharers = new Map<string, ForestProvider[]>()
  #ordered: readonly Tree[] | null = null
  #head = 0
  /** Rows of the outbox that were read before the relay numbered them. */
  #known: readonly number[] = []
  #opened = false
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /** Resolves when all that was committed before the call is here. */
  async caughtUp(): Promise<this> {
    // Who comes while a look is under way waits for the next one: the first may have begun before their write.
    if (this.#running) {
      this.#next ??= this.#running
        .catch(() => {})
        .then(() => {
          this.#next = null
          return this.#start()
        })
      await this.#next
    } else {
      await this.#start()
    }
    return this
  }

  provider(id: string): ForestProvider | undefined {
    return this.#providers.get(id)
  }

  tree(root: string): Tree | undefined {
    return this.#trees.get(root)
  }

  trees(): readonly Tree[] {
    this.#ordered ??= [...this.#trees.values()].sort((a, b) => (a.root.name < b.root.name ? -1 : 1))
    return this.#ordered
  }

  sharersIn(aggregate: string): readonly ForestProvider[] {
    return this.#sharers.get(aggregate) ?? []
  }

  /** Providers known. */
  get size(): number {
    return this.#providers.size
  }

  #start(): Promise<void> {
    this.#running = this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #look(): Promise<void> {
    const { head, changes } = await readUnread(this.#database, this.#opened ? this.#head : NONE_AFTER, this.#known)
    if (!this.#opened) {
      this.#put(await readTrees(this.#database, null))
      this.#opened = true
    } else {
      const stale = changes.flatMap((change) => this.#staleBy(change))
      if (stale.length > 0) await this.#readAgain(new Set(stale))
    }
    const waiting = changes.flatMap((change) => (change.waiting === null ? [] : [change.waiting]))
    this.#known = [...this.#known, ...waiting].slice(-KNOWN_MAX)
    this.#head = head
  }

  /** Providers that a change left otherwise than they are here. */
  #staleBy({ raised, hosts, touched, again }: UnreadChange): readonly string[] {
    if (again) return [...touched, ...hosts, ...Object.keys(raised)]
    const later = Object.entries(raised).filter(([id, generation]) => {
      const known = this.#providers.get(id)
      return known === undefined || known.generation < generation
    })
    const unknown = hosts.filter((id) => !this.#providers.has(id))
    return [...later.map(([id]) => id), ...unknown]
  }

  async #readAgain(ids: ReadonlySet<string>): Promise<void> {
    const roots = new Set(await readRoots(this.#database, [...ids]))
    for (const id of ids) {
      const before = this.#providers.get(id)?.root
      if (before !== undefined) roots.add(before)
    }
    const read = await readTrees(this.#database, [...roots])
    for (const root of roots) this.#remove(root)
    this.#put(read)
  }

  #remove(root: string): void {
    const tree = this.#trees.get(root)
    if (!tree) return
    this.#trees.delete(root)
    this.#ordered = null
    for (const provider of tree.providers) {
      if (this.#providers.get(provider.id) === provider) this.#providers.delete(provider.id)
      if (!provider.traits.has(SHARES)) continue
      for (const aggregate of provider.aggregates) {
        const left = this.sharersIn(aggregate).filter((each) => each !== provider)
        if (left.length > 0) this.#sharers.set(aggregate, left)
        else this.#sharers.delete(aggregate)
      }
    }
  }

  #put(read: readonly ForestProvider[]): void {
    const byRoot = new Map<string, ForestProvider[]>()
    for (const provider of read) {
      this.#providers.set(provider.id, provider)
      const tree = byRoot.get(provider.root)
      if (tree) tree.push(provider)
      else byRoot.set(provider.root, [provider])
      if (!provider.traits.has(SHARES)) continue
      for (const aggregate of provider.aggregates) {
        this.#sharers.set(aggregate, [...this.sharersIn(aggregate), provider])
      }
    }
    for (const [id, providers] of byRoot) {
      const [root] = providers
      if (root?.id !== id) continue // the root was deleted between two statements; the next look removes the rest
      this.#trees.set(id, { root, providers, aggregates: new Set(providers.flatMap((each) => [...each.aggregates])) })
    }
    this.#ordered = null
  }
}

const NONE_AFTER = Number.MAX_SAFE_INTEGER // the first look reads the trees, not how they came about
const KNOWN_MAX = 1000 // rows of the outbox remembered; one that is read twice only costs a read

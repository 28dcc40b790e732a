import type { ProviderChange } from '../engine/ledger/allocations'
import type { RaisedGenerations } from '../engine/ledger/raised'
import {
  type Forest,
  type ForestProvider,
  NO_NEED,
  SHARES,
  sameProvider,
  type Tree,
  type TreeNeed,
} from '../engine/resources/forest'
import type { Database } from '../store/database/database'
import {
  type ReadSoFar,
  readForest,
  readTrees,
  readTreesOf,
  readUnread,
  type UnreadBatch,
  type UnreadChange,
} from '../store/placement/forest-read'
import { NameInterner } from './name-interner'
import { TreeOrder } from './tree-order'

// The forest of all providers in memory. Before each answer one small statement reads what was committed since the last
// one, so a reader always sees its own and all other writes; only changed trees are read again.

/** A provider whose changes did not reach memory, although nothing that was committed since says why. */
export interface ForestDifference {
  readonly provider: string
  readonly name: string
  /** Generations; null where it is not. */
  readonly memory: number | null
  readonly tables: number | null
}

export class ProviderForest implements Forest {
  readonly #database: Database
  readonly #trees = new Map<string, Tree>()
  readonly #order = new TreeOrder()
  readonly #providers = new Map<string, ForestProvider>()
  readonly #sharers = new Map<string, ForestProvider[]>()
  readonly #sharing = new Set<ForestProvider>()
  readonly #wording = new NameInterner()
  readonly #hosts = new Set<string>()
  #foreignAllowed = false
  #head = 0
  /** Rows of the outbox that were read before the relay numbered them. */
  #known: readonly number[] = []
  #opened = false
  /** The next read, which has not begun: all callers until then share it. */
  #asked: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  /** Resolves when everything committed before the call is here. */
  async caughtUp(): Promise<this> {
    // A read under way may have begun before the caller's write, so the caller waits for the next one.
    this.#asked ??= this.#afterOthers(() => {
      this.#asked = null
      return this.#read()
    })
    await this.#asked
    return this
  }

  /** Resolves when memory has been filled once; it may be slightly stale. */
  async opened(): Promise<void> {
    if (!this.#opened) await this.caughtUp()
  }

  /** Applies a commit of this server without a read. Other servers' writes in between follow with the next read. */
  followed(changes: readonly ProviderChange[], raised: RaisedGenerations): void {
    for (const { id, times, stocks } of changes) {
      const was = this.#providers.get(id)
      const tree = was && this.#trees.get(was.root)
      const now = raised[id]
      // Already reread, or a release, which raises no generation: its event makes the next read include the tree.
      if (!was || !tree || now === undefined || was.generation >= now) continue
      const held = new Map(was.stocks)
      for (const { resourceClass, delta } of stocks) {
        const stock = held.get(resourceClass)
        if (stock) held.set(resourceClass, { ...stock, used: stock.used + delta })
      }
      this.#replace(tree, was, {
        ...was,
        stocks: held,
        generation: was.generation + times === now ? now : was.generation,
      })
    }
  }

  /** One provider of a tree whose traits and aggregates stay as they are. */
  #replace(tree: Tree, was: ForestProvider, next: ForestProvider): void {
    const providers = tree.providers.map((each) => (each === was ? next : each))
    const after = { ...tree, root: tree.root === was ? next : tree.root, providers }
    this.#trees.set(after.root.id, after)
    this.#providers.set(next.id, next)
    if (this.#sharing.delete(was)) {
      this.#sharing.add(next)
      for (const aggregate of next.aggregates) {
        this.#sharers.set(
          aggregate,
          this.sharersIn(aggregate).map((each) => (each === was ? next : each)),
        )
      }
    }
    this.#order.put(after, tree)
  }

  /**
   * Rereads every tree and replaces memory. Returns changes that had not reached it. Rows edited without bumping a
   * generation are adopted but not reported.
   */
  audited(): Promise<readonly ForestDifference[]> {
    return this.#afterOthers(() => this.#compare())
  }

  provider(id: string): ForestProvider | undefined {
    return this.#providers.get(id)
  }

  tree(root: string): Tree | undefined {
    return this.#trees.get(root)
  }

  trees(need: TreeNeed = NO_NEED): Iterable<Tree> {
    return this.#order.trees(need)
  }

  sharersIn(aggregate: string): readonly ForestProvider[] {
    return this.#sharers.get(aggregate) ?? NO_SHARERS
  }

  sharers(): Iterable<ForestProvider> {
    return this.#sharing
  }

  /** Roots of the trees that are hosts of Berth. */
  get hosts(): ReadonlySet<string> {
    return this.#hosts
  }

  /** Whether hosts of Berth take instances of other clients, as of the last read. */
  get foreignAllowed(): boolean {
    return this.#foreignAllowed
  }

  /** Whether some provider has inventory of this class; a class without inventory may still exist. */
  hasClass(name: string): boolean {
    return this.#wording.hasClass(name)
  }

  /** Whether some provider has this trait; a trait without a provider may still exist. */
  hasTrait(name: string): boolean {
    return this.#wording.hasTrait(name)
  }

  /** Providers known. */
  get size(): number {
    return this.#providers.size
  }

  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #read(): Promise<void> {
    const unread = await readUnread(this.#database, this.#readSoFar())
    if (!this.#opened) {
      this.#fill(await readTrees(this.#database))
      this.#opened = true
    } else if (hasGap(this.#head, unread)) {
      await this.#compare()
      return
    } else {
      const stale = unread.changes.flatMap((change) => this.#staleBy(change))
      if (stale.length > 0) await this.#readAgain(new Set(stale))
    }
    this.#heard(unread)
  }

  #readSoFar(): ReadSoFar {
    return { head: this.#opened ? this.#head : NONE_AFTER, known: this.#known }
  }

  #heard({ head, waitingFrom, changes, foreignAllowed }: UnreadBatch): void {
    const waiting = changes.flatMap((change) => (change.waiting === null ? [] : [change.waiting]))
    // Each read sends them: a thousand that were numbered long ago cost more than the rest of the statement.
    const still = waitingFrom === null ? [] : this.#known.filter((id) => id >= waitingFrom)
    this.#known = [...still, ...waiting].slice(-KNOWN_MAX)
    this.#head = head
    this.#foreignAllowed = foreignAllowed
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
    const roots = this.#rootsOf(ids)
    this.#take(await readTreesOf(this.#database.pool, [...new Set([...ids, ...roots])]), roots)
  }

  #rootsOf(ids: ReadonlySet<string>): Set<string> {
    return new Set([...ids].flatMap((id) => this.#providers.get(id)?.root ?? []))
  }

  /** Replaces trees by those read; a requested root without a result no longer exists. */
  #take(read: readonly ForestProvider[], asked: ReadonlySet<string>): void {
    const trees = treesOf(read.map((provider) => this.#wording.inOneWording(provider)))
    const before = new Map<string, Tree>()
    for (const root of new Set([...asked, ...trees.map(({ root }) => root.id)])) {
      const tree = this.#trees.get(root)
      if (!tree) continue
      before.set(root, tree)
      this.#forget(tree)
    }
    for (const tree of trees) {
      this.#learn(tree)
      this.#order.put(tree, before.get(tree.root.id))
      before.delete(tree.root.id)
    }
    for (const gone of before.values()) this.#order.remove(gone)
  }

  #fill(read: readonly ForestProvider[]): void {
    const trees = treesOf(read.map((provider) => this.#wording.inOneWording(provider)))
    for (const tree of trees) this.#learn(tree)
    this.#order.fill(trees)
  }

  #forget(tree: Tree): void {
    this.#trees.delete(tree.root.id)
    this.#hosts.delete(tree.root.id)
    for (const provider of tree.providers) {
      if (this.#providers.get(provider.id) === provider) this.#providers.delete(provider.id)
      this.#wording.forget(provider)
      if (!this.#sharing.delete(provider)) continue
      for (const aggregate of provider.aggregates) {
        const left = this.sharersIn(aggregate).filter((each) => each !== provider)
        if (left.length > 0) this.#sharers.set(aggregate, left)
        else this.#sharers.delete(aggregate)
      }
    }
  }

  #learn(tree: Tree): void {
    this.#trees.set(tree.root.id, tree)
    if (tree.root.isHost) this.#hosts.add(tree.root.id)
    for (const provider of tree.providers) {
      this.#providers.set(provider.id, provider)
      this.#wording.learn(provider)
      if (!provider.traits.has(SHARES)) continue
      this.#sharing.add(provider)
      for (const aggregate of provider.aggregates) {
        this.#sharers.set(aggregate, [...this.sharersIn(aggregate), provider])
      }
    }
  }

  async #compare(): Promise<readonly ForestDifference[]> {
    const { unread, trees: read } = await readForest(this.#database, this.#readSoFar())
    const stale = new Set(unread.changes.flatMap((change) => this.#staleBy(change)))
    const excused = this.#rootsOf(stale)
    for (const { id, root } of read) if (stale.has(id)) excused.add(root)
    const pairs = this.#differing(read)
    const isExcused = (each: ForestProvider | null) => each !== null && excused.has(each.root)
    const unexcused = pairs.filter(
      ({ memory, tables }) =>
        this.#opened && !isExcused(memory) && !isExcused(tables) && memory?.generation !== tables?.generation,
    )
    const roots = new Set(pairs.flatMap(({ memory, tables }) => [memory?.root ?? [], tables?.root ?? []].flat()))
    this.#take(
      read.filter(({ root }) => roots.has(root)),
      roots,
    )
    this.#opened = true
    this.#heard(unread)
    return unexcused.map(differenceOf)
  }

  #differing(read: readonly ForestProvider[]): Pair[] {
    const left = new Map(this.#providers)
    const pairs: Pair[] = []
    for (const tables of read) {
      const memory = left.get(tables.id) ?? null
      left.delete(tables.id)
      if (memory === null || !sameProvider(memory, tables)) pairs.push({ memory, tables })
    }
    for (const memory of left.values()) pairs.push({ memory, tables: null })
    return pairs
  }
}

/** One provider as it is in memory and in the tables. */
interface Pair {
  readonly memory: ForestProvider | null
  readonly tables: ForestProvider | null
}

function differenceOf({ memory, tables }: Pair): ForestDifference {
  const { id = '', name = '' } = tables ?? memory ?? {}
  return { provider: id, name, memory: memory?.generation ?? null, tables: tables?.generation ?? null }
}

/** Numbers have no gaps, so a missing one was pruned between two reads: then every tree is reread. */
function hasGap(before: number, { head, changes }: UnreadBatch): boolean {
  return head - before !== changes.filter(({ waiting }) => waiting === null).length
}

/** In the order in which they were read. */
function treesOf(providers: readonly ForestProvider[]): Tree[] {
  const byRoot = new Map<string, ForestProvider[]>()
  for (const provider of providers) {
    const tree = byRoot.get(provider.root)
    if (tree) tree.push(provider)
    else byRoot.set(provider.root, [provider])
  }
  return [...byRoot.values()].flatMap((own) => {
    const [root] = own
    if (!root || root.id !== root.root) return [] // without a root it is in no tree
    return [{ root, providers: own, aggregates: aggregatesOf(root, own) }]
  })
}

function aggregatesOf(root: ForestProvider, own: readonly ForestProvider[]): ReadonlySet<string> {
  return own.length === 1 ? root.aggregates : new Set(own.flatMap(({ aggregates }) => [...aggregates]))
}

const NO_SHARERS: readonly ForestProvider[] = []
const NONE_AFTER = Number.MAX_SAFE_INTEGER // the first read loads the trees, not their history
const KNOWN_MAX = 1000 // outbox rows remembered; reading one twice only costs a read

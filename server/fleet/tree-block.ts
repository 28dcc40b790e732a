import { roomOf, type Tree, type TreeNeed } from '../engine/resources/forest'

// Adjacent trees with their index: for each class a column of the most that one provider of each tree has free, for
// each trait and aggregate a bit per tree. A reread tree changes its own entries; when trees are added or removed, the
// whole block is recomputed on next use.

/** A block that grew beyond this is cut in two. */
export const MAX_BLOCK_SIZE = 256
const WORDS = MAX_BLOCK_SIZE / 32

class Column {
  readonly rooms = new Float64Array(MAX_BLOCK_SIZE)
  #most: number | null = 0

  set(at: number, room: number): void {
    this.rooms[at] = room
    this.#most = null
  }

  get most(): number {
    this.#most ??= this.rooms.reduce((most, room) => Math.max(most, room), 0)
    return this.#most
  }
}

type Bits = Map<string, Uint32Array>

interface Index {
  readonly columns: Map<string, Column>
  readonly traits: Bits
  readonly aggregates: Bits
}

export class TreeBlock {
  readonly #trees: Tree[]
  #index: Index | null = null

  constructor(trees: Tree[]) {
    this.#trees = trees
  }

  get trees(): readonly Tree[] {
    return this.#trees
  }

  /** Replaces the one with the same name. */
  replace(at: number, tree: Tree): void {
    const before = this.#trees[at]
    this.#trees[at] = tree
    if (!this.#index) return
    if (before) forget(this.#index, at, before)
    learn(this.#index, at, tree)
  }

  insert(at: number, tree: Tree): void {
    this.#trees.splice(at, 0, tree)
    this.#index = null
  }

  remove(at: number): void {
    this.#trees.splice(at, 1)
    this.#index = null
  }

  /** The second half, which is removed from this block. */
  split(): TreeBlock {
    this.#index = null
    return new TreeBlock(this.#trees.splice(this.#trees.length >> 1))
  }

  /** Trees that may have what is needed: the index rules out all others. */
  *having(need: TreeNeed): Generator<Tree> {
    this.#index ??= indexOf(this.#trees)
    const mask = maskOf(this.#index, need)
    if (!mask) return
    const columns = need.amounts.map(([of, amount]) => ({ rooms: this.#index?.columns.get(of)?.rooms, amount }))
    for (let at = 0; at < this.#trees.length; at++) {
      if (((mask[at >> 5] ?? 0) & (1 << (at & 31))) === 0) continue
      if (columns.every(({ rooms, amount }) => (rooms?.[at] ?? 0) >= amount)) yield this.#trees[at] as Tree
    }
  }
}

function indexOf(trees: readonly Tree[]): Index {
  const index: Index = { columns: new Map(), traits: new Map(), aggregates: new Map() }
  for (const [at, tree] of trees.entries()) learn(index, at, tree)
  return index
}

function learn({ columns, traits, aggregates }: Index, at: number, tree: Tree): void {
  for (const provider of tree.providers) {
    for (const [of, stock] of provider.stocks) {
      const column = columns.get(of) ?? new Column()
      columns.set(of, column)
      const room = roomOf(stock)
      if (room > (column.rooms[at] ?? 0)) column.set(at, room)
    }
    mark(traits, provider.traits, at)
    mark(aggregates, provider.aggregates, at)
  }
}

function mark(bits: Bits, names: ReadonlySet<string>, at: number): void {
  for (const name of names) {
    const words = bits.get(name) ?? new Uint32Array(WORDS)
    bits.set(name, words)
    words[at >> 5] = (words[at >> 5] ?? 0) | (1 << (at & 31))
  }
}

function forget({ columns, traits, aggregates }: Index, at: number, tree: Tree): void {
  for (const provider of tree.providers) {
    for (const of of provider.stocks.keys()) columns.get(of)?.set(at, 0)
    for (const name of provider.traits) unmark(traits.get(name), at)
    for (const name of provider.aggregates) unmark(aggregates.get(name), at)
  }
}

function unmark(words: Uint32Array | undefined, at: number): void {
  if (words) words[at >> 5] = (words[at >> 5] ?? 0) & ~(1 << (at & 31))
}

/** A bit for each tree that may match; null when none does. */
function maskOf(index: Index, { amounts, traits, aggregates }: TreeNeed): Uint32Array | null {
  for (const [of, amount] of amounts) if ((index.columns.get(of)?.most ?? 0) < amount) return null
  const mask = new Uint32Array(WORDS).fill(0xffffffff)
  for (const any of traits) if (!narrow(mask, index.traits, any)) return null
  for (const any of aggregates) if (!narrow(mask, index.aggregates, any)) return null
  return mask
}

/** False when nothing is left of the mask. */
function narrow(mask: Uint32Array, bits: Bits, any: ReadonlySet<string>): boolean {
  const found = [...any].flatMap((name) => bits.get(name) ?? [])
  let left = 0
  for (let word = 0; word < WORDS; word++) {
    let either = 0
    for (const words of found) either |= words[word] ?? 0
    mask[word] = (mask[word] ?? 0) & either
    left |= mask[word] ?? 0
  }
  return left !== 0
}

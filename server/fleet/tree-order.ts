import { NO_NEED, type Tree, type TreeNeed } from '../engine/resources/forest'
import { MAX_BLOCK_SIZE, TreeBlock } from './tree-block'

// All trees ordered by the names of their roots, in blocks of adjacent ones: adding, removing or changing a tree costs
// one block, and a search skips blocks without a match.

export class TreeOrder {
  #blocks: TreeBlock[] = []

  /** Replaces `before`, the previous version of the same tree. */
  put(tree: Tree, before: Tree | undefined): void {
    if (before && before.root.name === tree.root.name) {
      const block = this.#blocks[this.#blockOf(tree)]
      block?.replace(placeIn(block.trees, tree), tree)
      return
    }
    if (before) this.remove(before)
    this.#insert(tree)
  }

  remove(tree: Tree): void {
    const number = this.#blockOf(tree)
    const block = this.#blocks[number]
    if (!block) return
    block.remove(placeIn(block.trees, tree))
    if (block.trees.length === 0) this.#blocks.splice(number, 1)
  }

  /** In the order of names; skips trees that do not meet the need, as far as the blocks show. */
  *trees(need: TreeNeed): Generator<Tree> {
    for (const block of this.#blocks) {
      if (need === NO_NEED) yield* block.trees
      else yield* block.having(need)
    }
  }

  /** Many at once, where there was none. */
  fill(trees: readonly Tree[]): void {
    const sorted = trees.toSorted(compare)
    const size = MAX_BLOCK_SIZE / 2 // room to grow
    this.#blocks = []
    for (let at = 0; at < sorted.length; at += size) this.#blocks.push(new TreeBlock(sorted.slice(at, at + size)))
  }

  #insert(tree: Tree): void {
    const number = this.#blockOf(tree)
    const block = this.#blocks[number]
    if (!block) {
      this.#blocks.push(new TreeBlock([tree]))
      return
    }
    block.insert(placeIn(block.trees, tree), tree)
    if (block.trees.length >= MAX_BLOCK_SIZE) this.#blocks.splice(number + 1, 0, block.split())
  }

  /** The last block that does not begin after the tree. */
  #blockOf(tree: Tree): number {
    const after = firstWhere(this.#blocks, ({ trees: [first] }) => first !== undefined && compare(first, tree) > 0)
    return Math.max(0, after - 1)
  }
}

/** Where the tree is, or would be. */
const placeIn = (trees: readonly Tree[], tree: Tree): number => firstWhere(trees, (each) => compare(each, tree) >= 0)

// Two trees read at different times may briefly have the same name.
function compare({ root: a }: Tree, { root: b }: Tree): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** In a sorted list, the index of the first element for which it holds, or the length. */
function firstWhere<T>(list: readonly T[], holds: (each: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(list[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

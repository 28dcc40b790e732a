// The order in which the searches of many trees yield their candidates. All are lazy.

/** All of the first, then all of the second. */
export function* searchDepthFirst<T, R>(trees: Iterable<T>, search: (tree: T) => Iterable<R>): Generator<R> {
  for (const tree of trees) yield* search(tree)
}

/** The first of each, then the second of each that has one. */
export function* searchBreadthFirst<T, R>(trees: Iterable<T>, search: (tree: T) => Iterable<R>): Generator<R> {
  let open: Iterator<R>[] = []
  for (const tree of trees) {
    const each = search(tree)[Symbol.iterator]()
    const { done, value } = each.next()
    if (done) continue
    open.push(each)
    yield value
  }
  while (open.length > 0) {
    const going: Iterator<R>[] = []
    for (const each of open) {
      const { done, value } = each.next()
      if (done) continue
      going.push(each)
      yield value
    }
    open = going
  }
}

/** The same in random order, drawn lazily. Each order is equally likely. */
export function* shuffled<T>(all: readonly T[], chance: () => number): Generator<T> {
  const left = [...all]
  for (let from = 0; from < left.length; from++) {
    const at = from + Math.floor(chance() * (left.length - from))
    const drawn = left[at] as T
    left[at] = left[from] as T
    yield drawn
  }
}

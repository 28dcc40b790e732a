// A thousand requests of one browser at once are one question to the database, not a thousand that wait for its
// connections. A question that is under way may have been answered before the newest request came, so that one waits
// for the next: what was taken away before a request arrived is never found by it.

interface Lookups<V> {
  readonly running: Promise<V>
  next: Promise<V> | null
}

export function sharedLookups<A, V>(look: (asked: A) => Promise<V>): (key: string, asked: A) => Promise<V> {
  const open = new Map<string, Lookups<V>>()
  const start = (key: string, asked: A): Promise<V> => {
    const running = look(asked)
    const entry: Lookups<V> = { running, next: null }
    open.set(key, entry)
    const settle = () => {
      if (entry.next === null && open.get(key) === entry) open.delete(key)
    }
    running.then(settle, settle)
    return running
  }
  return (key, asked) => {
    const entry = open.get(key)
    if (!entry) return start(key, asked)
    const again = () => start(key, asked)
    entry.next ??= entry.running.then(again, again)
    return entry.next
  }
}

// Concurrent requests of one browser share queries instead of each waiting for a connection: one query runs, and all
// later requests share the next one. They cannot use the running one, which may have read its rows before they arrived:
// a right that was revoked before a request must not be granted to it.

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

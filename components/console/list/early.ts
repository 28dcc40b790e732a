// A page sends its queries once its code runs. Queries slower than loading that code are preloaded by the document: the
// browser keeps the response for the first fetch of the same address.

export const API = '/api/trpc'

const EARLY = [
  'overview.get',
  'host.list',
  'instance.list',
  'ledger.list',
  'device.kinds',
  'task.list',
  'auditLog.list',
  'device.list',
  'why.ask',
] as const
export type EarlyPath = (typeof EARLY)[number]

// Early queries, so that the address is predictable. The last one is slow and may be cancelled: a shared request runs
// until no part of it is awaited.
const ALONE: readonly string[] = [...EARLY, 'why.nearest']

/** All others are batched. */
export const isUnbatched = (path: string): boolean => ALONE.includes(path)

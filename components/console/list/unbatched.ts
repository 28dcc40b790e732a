// A page sends its queries once its code runs. Queries slower than loading that code are preloaded by the document: the
// browser keeps the response for the first fetch of the same address.

export const API = '/api/trpc'

const PRELOADED_PATHS = [
  'overview.get',
  'host.list',
  'instance.list',
  'ledger.list',
  'device.kinds',
  'task.list',
  'auditLog.list',
  'device.list',
  'explain.get',
] as const
export type PreloadedPath = (typeof PRELOADED_PATHS)[number]

// Early queries, so that the address is predictable. The last one is slow and may be cancelled: a shared request runs
// until no part of it is awaited.
const UNBATCHED_PATHS: readonly string[] = [...PRELOADED_PATHS, 'explain.nearest']

/** All others are batched. */
export const isUnbatched = (path: string): boolean => UNBATCHED_PATHS.includes(path)

// A page sends its query when its code runs. One that takes the server longer than the code takes to arrive is
// preloaded by the document: the browser keeps the answer for the first fetch of the very same URL.

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

// Early, so that the URL follows from the query. The last takes long and may be aborted: a batched request goes on
// while any part of it is awaited.
const ALONE: readonly string[] = [...EARLY, 'why.nearest']

/** All others share their requests. */
export const isAskedAlone = (path: string): boolean => ALONE.includes(path)

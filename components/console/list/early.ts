// A page asks its question when its code runs. One that takes the server longer than the code takes to arrive is asked
// by the document itself: the browser keeps the answer for the first who fetches the very same address.

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

// Early, so that the address follows from the question. The last takes long and may be given up: a shared request goes on
// for as long as anybody waits for a part of it.
const ALONE: readonly string[] = [...EARLY, 'why.nearest']

/** All others share their requests. */
export const isAskedAlone = (path: string): boolean => ALONE.includes(path)

import { preload } from 'react-dom'

// A page asks its question when its code runs. One that takes the server longer than the code takes to arrive is asked
// by the document itself: the browser keeps the answer for the first who fetches the very same address.

export const API = '/api/trpc'

/** Asked alone, so that the address follows from the question; all others share their requests. */
const EARLY: ReadonlySet<string> = new Set(['why.ask'])

export const isAskedEarly = (path: string): boolean => EARLY.has(path)

/** For pages, while they are drawn on the server. */
export function askEarly(path: 'why.ask', input: object): void {
  const address = `${API}/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
  // After the code, which the answer is of no use without.
  preload(address, { as: 'fetch', crossOrigin: 'anonymous', fetchPriority: 'low' })
}

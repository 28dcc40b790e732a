import { headers } from 'next/headers'
import { preload } from 'react-dom'
import { API, type EarlyPath } from './early'

/** For pages, while they are drawn on the server. The page must ask the very same, its keys in the same order. */
export async function askEarly(path: EarlyPath, input: object): Promise<void> {
  // Where the console runs already it asks by itself, and at once.
  if ((await headers()).get('sec-fetch-dest') === 'empty') return
  const address = `${API}/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
  // After the code, which the answer is of no use without.
  preload(address, { as: 'fetch', crossOrigin: 'anonymous', fetchPriority: 'low' })
}

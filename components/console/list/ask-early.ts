import { headers } from 'next/headers'
import { preload } from 'react-dom'
import { API, type EarlyPath } from './early'
import { FIRST_PAGE } from './first-page'

/** The first rows of a list, at a URL without a query: then the page's request is known. */
export async function askFirstRows(path: EarlyPath, searchParams: Promise<object>, input: object = FIRST_PAGE) {
  if (Object.keys(await searchParams).length === 0) await askEarly(path, input)
}

/** For pages, while they are drawn on the server. The page must ask the very same, its keys in the same order. */
export async function askEarly(path: EarlyPath, input?: object): Promise<void> {
  // Once the console runs, it sends the request itself.
  if ((await headers()).get('sec-fetch-dest') === 'empty') return
  const asked = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  // After the code, which the answer is of no use without.
  preload(`${API}/${path}${asked}`, { as: 'fetch', crossOrigin: 'anonymous', fetchPriority: 'low' })
}

import { headers } from 'next/headers'
import { preload } from 'react-dom'
import { FIRST_PAGE } from './first-page'
import { API, type PreloadedPath } from './unbatched'

/** Preloads a list's first rows if the address has no parameters: only then does its page request exactly these. */
export async function preloadFirstRows(path: PreloadedPath, searchParams: Promise<object>, input: object = FIRST_PAGE) {
  if (Object.keys(await searchParams).length === 0) await preloadQuery(path, input)
}

/** For pages during server rendering. The page must send the same input with its keys in the same order. */
export async function preloadQuery(path: PreloadedPath, input?: object): Promise<void> {
  // A running console sends the request itself, at once.
  if ((await headers()).get('sec-fetch-dest') === 'empty') return
  const asked = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  // Low priority: without the code the response is of no use.
  preload(`${API}/${path}${asked}`, { as: 'fetch', crossOrigin: 'anonymous', fetchPriority: 'low' })
}

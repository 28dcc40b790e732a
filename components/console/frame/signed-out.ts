import { QueryCache } from '@tanstack/react-query'
import { API } from '../list/unbatched'
import { paths } from '../paths'

// A session that ended elsewhere ends here too, and sign-in returns to the same page. A session that was only replaced,
// as by a new password, has a new cookie a moment later: queries refused with the old cookie are retried.

const ONCE_MORE_MS = 1_000
/** A query refused again within this time is not retried. */
const RETRY_COOLDOWN_MS = 10_000

interface RefusedQuery {
  readonly queryHash: string
  fetch(): Promise<unknown>
}

let asking: Promise<boolean> | null = null

async function checkSession(): Promise<boolean> {
  if (await isAnswered()) return true
  await new Promise((resolve) => setTimeout(resolve, ONCE_MORE_MS))
  return isAnswered()
}

const isAnswered = (): Promise<boolean> =>
  fetch(`${API}/session.me`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Many queries are refused at once; they share one check. */
function isSignedIn(): Promise<boolean> {
  asking ??= checkSession().finally(() => {
    asking = null
  })
  return asking
}

export function makeQueryCache(): QueryCache {
  const askedAgain = new Map<string, number>()
  const onError = async (error: unknown, query: RefusedQuery) => {
    if ((error as { data?: { code?: string } }).data?.code !== 'UNAUTHORIZED') return
    const now = performance.now()
    const isRepeated = now - (askedAgain.get(query.queryHash) ?? Number.NEGATIVE_INFINITY) < RETRY_COOLDOWN_MS
    if (!isRepeated && (await isSignedIn())) {
      askedAgain.set(query.queryHash, now)
      await query.fetch().catch(() => {}) // its error arrives here again
      return
    }
    const { pathname, search } = window.location
    if (pathname !== paths.signIn()) window.location.assign(paths.signIn(pathname + search))
  }
  return new QueryCache({ onError: (error, query) => void onError(error, query) })
}

import type { QueryClient } from '@tanstack/react-query'
import { paths } from './paths'

// Signing in or out reloads the whole page, so that no other user's data stay in memory. The routes that sign in are in
// session/sign-in.ts: every page can sign out, and need not load them.

/** Calls a route of better-auth. */
export async function postAuth(path: string, body: unknown): Promise<Response> {
  return fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  })
}

/** False if the session could not be ended: a user who leaves the machine must know. */
export async function signOut(queries: QueryClient): Promise<boolean> {
  const cache = queries.getQueryCache().config
  const { onError } = cache
  // Queries refused without a session redirect to sign-in and back here; a deliberate sign-out must not.
  delete cache.onError
  const answer = await postAuth('sign-out', {}).catch(() => null)
  if (answer?.ok) {
    window.location.assign(paths.signIn())
    return true
  }
  if (onError) cache.onError = onError
  return false
}

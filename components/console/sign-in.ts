import type { QueryClient } from '@tanstack/react-query'
import { paths } from './paths'

// The two doors of better-auth that a browser uses. After either the whole page is loaded anew, so that nothing
// of another person stays in memory.

export interface SignInAnswer {
  readonly ok: boolean
  /** In the server's own words when it has any. */
  readonly message: string | null
  readonly retryAfterS: number | null
}

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  })
}

export async function signIn(input: { readonly name: string; readonly password: string }): Promise<SignInAnswer> {
  const byEmail = input.name.includes('@')
  try {
    const response = byEmail
      ? await post('sign-in/email', { email: input.name, password: input.password })
      : await post('sign-in/username', { username: input.name, password: input.password })
    if (response.ok) return { ok: true, message: null, retryAfterS: null }
    const body = (await response.json().catch(() => null)) as { message?: string } | null
    const retryAfterS = response.status === 429 ? Number(response.headers.get('x-retry-after') ?? 60) : null
    return { ok: false, message: body?.message ?? null, retryAfterS }
  } catch {
    return { ok: false, message: null, retryAfterS: null }
  }
}

/** False when the session could not be ended: whoever leaves the desk must know. */
export async function signOut(queries: QueryClient): Promise<boolean> {
  const cache = queries.getQueryCache().config
  const { onError } = cache
  // What is answered without a session leads to the door and back here; who goes by their own will is not led back.
  delete cache.onError
  const answer = await post('sign-out', {}).catch(() => null)
  if (answer?.ok) {
    window.location.assign(paths.signIn())
    return true
  }
  if (onError) cache.onError = onError
  return false
}

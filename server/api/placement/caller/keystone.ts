import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

// Keystone's Identity API v3, as far as a service needs it to validate tokens: it signs in itself, then queries
// Keystone for a token's owner. Messages here never contain a secret.

export interface KeystoneSettings {
  /** Ends in `/v3`. */
  readonly url: string
  /** The `auth` object of Keystone's API by which Berth itself signs in. */
  readonly signIn: object
}

/** A token's owner, as Keystone reports it. */
export interface TokenFacts {
  readonly user: string
  readonly userId: string
  /** Lower case. */
  readonly roles: readonly string[]
  /** Null for a token of the whole system, of a domain, or of nothing. */
  readonly project: string | null
  readonly expiresAtMs: number
}

export interface Keystone {
  /** Null: Keystone does not know the token. Throws KeystoneUnavailable when Keystone cannot be reached. */
  validate(token: string): Promise<TokenFacts | null>
}

/** The owner of a token cannot be determined; the message says why, for the log. */
export class KeystoneUnavailable extends Error {
  /** `isLasting`: a retry would not help. */
  constructor(
    message: string,
    readonly isLasting = false,
  ) {
    super(message)
  }
}

/** Waits for a slow or restarting Keystone, because Nova fails its operation after a refusal. */
const PATIENCE_MS = 20_000
const MAX_RETRIES = 4
/** Maximum delay before the first retry; doubles before each further one. */
const PAUSE_MS = 500
const RENEW_BEFORE_MS = 60_000 // Berth's own token is renewed this long before it expires

const TOKEN = z.object({
  token: z.object({
    expires_at: z.iso.datetime({ offset: true }),
    user: z.object({ id: z.string().optional(), name: z.string() }),
    project: z.object({ id: z.string() }).optional(),
    roles: z.array(z.object({ name: z.string() })).default([]),
  }),
})

interface OwnToken {
  readonly token: Promise<string>
  /** Infinity while the request is in flight. */
  until: number
}

export interface KeystoneParts {
  readonly now: () => number
  /** Returns 0 ≤ x < 1. */
  readonly chance: () => number
}

export function openKeystone({ url, signIn }: KeystoneSettings, { now, chance }: KeystoneParts): Keystone {
  let own: OwnToken | null = null

  /** One sign-in in flight for all that wait for it. */
  const signInOnce = (): OwnToken => {
    const made = signedIn(url, signIn)
    const fresh: OwnToken = { token: made.then(({ token }) => token), until: Number.POSITIVE_INFINITY }
    const forget = () => {
      if (own === fresh) own = null
    }
    made.then(({ expiresAtMs }) => {
      fresh.until = expiresAtMs - RENEW_BEFORE_MS
    }, forget)
    return fresh
  }

  const ask = async (token: string, patience: AbortSignal): Promise<Response> => {
    if (own === null || own.until <= now()) own = signInOnce()
    const used = own
    const headers = { 'x-auth-token': await used.token, 'x-subject-token': token }
    const response = await request(`${url}/auth/tokens?nocatalog`, { headers, signal: patience })
    // Berth's own token was revoked before it expired.
    if (response.status === 401 && own === used) own = null
    return response
  }

  const lookUp = async (token: string, patience: AbortSignal): Promise<TokenFacts | null> => {
    const first = await ask(token, patience)
    const response = first.status === 401 ? await ask(token, patience) : first
    if (response.status === 404) return null
    if (!response.ok) throw new KeystoneUnavailable(`Keystone answered ${response.status} when asked about a token`)
    return factsOf(await read(response))
  }

  return {
    validate: async (token) => {
      const patience = AbortSignal.timeout(PATIENCE_MS)
      for (let again = 0; ; again++) {
        try {
          return await lookUp(token, patience)
        } catch (error) {
          if (!(error instanceof KeystoneUnavailable) || error.isLasting || again === MAX_RETRIES) throw error
          await wait(chance() * PAUSE_MS * 2 ** again)
          if (patience.aborted) throw error
        }
      }
    },
  }
}

interface SignedIn {
  readonly token: string
  readonly expiresAtMs: number
}

async function signedIn(url: string, auth: object): Promise<SignedIn> {
  const response = await request(`${url}/auth/tokens?nocatalog`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const token = response.headers.get('x-subject-token')
  if (!response.ok || !token) {
    // No retry, because wrong passwords lock accounts.
    const isRefused = response.status >= 400 && response.status < 500 && response.status !== 429
    throw new KeystoneUnavailable(`Keystone answered ${response.status} to Berth's own sign-in`, isRefused)
  }
  return { token, expiresAtMs: Date.parse((await read(response)).token.expires_at) }
}

/** Redirects are not followed: that would send the tokens to the host it names. */
async function request(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  const headers = { accept: 'application/json', ...init.headers }
  try {
    return await fetch(url, { ...init, headers, redirect: 'error' })
  } catch (error) {
    throw new KeystoneUnavailable(`Keystone did not answer: ${reasonOf(error)}`, init.signal.aborted)
  }
}

async function read(response: Response): Promise<z.infer<typeof TOKEN>> {
  const body: unknown = await response.json().catch(() => null)
  const { success, data } = TOKEN.safeParse(body)
  if (!success) throw new KeystoneUnavailable('Keystone answered with something that is no token')
  return data
}

function factsOf({ token }: z.infer<typeof TOKEN>): TokenFacts {
  return {
    user: token.user.name,
    userId: token.user.id ?? token.user.name,
    roles: token.roles.map(({ name }) => name.toLowerCase()),
    project: token.project?.id ?? null,
    expiresAtMs: Date.parse(token.expires_at),
  }
}

/** The network's error code (`ECONNREFUSED`), which fetch hides in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'for no known reason'
  if (error.name === 'TimeoutError') return `not within ${PATIENCE_MS / 1000} seconds`
  const { cause } = error
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message
}

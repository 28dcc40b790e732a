import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { Problem } from '../problem'
import { allowed, type Caller, type Identify, type Profile, TOKEN_HEADER } from './caller'
import { type Keystone, KeystoneUnavailable, type TokenFacts } from './keystone'

// Identifies callers by Keystone. A validated token is cached for a bounded time, never past its own expiry; while
// Keystone does not answer, only cached tokens are accepted. Late in that time a request does not wait: the token is
// revalidated in the background.

const VALID_MS = 60_000 // how long a token that was revoked in Keystone still works on this server
const REVALIDATE_AFTER_MS = 40_000
const UNKNOWN_MS = 10_000
const MAX_CACHED_TOKENS = 1_000

export interface KeystoneCallerOptions {
  readonly keystone: Keystone
  readonly profile: Profile
  readonly log: Pick<Logger, 'error'>
  readonly now: () => number
  /** Never set, unlike `now`: a token that was revoked must not be accepted longer because the clock was set back. */
  readonly monotonicMs: () => number
}

export function byKeystone(options: KeystoneCallerOptions): Identify {
  const factsOf = cachedFacts(options)
  return async (call) => {
    const token = call.header(TOKEN_HEADER)
    if (!token) return null
    try {
      const facts = await factsOf(token)
      return facts && callerOf(facts, options.profile)
    } catch (error) {
      if (!(error instanceof KeystoneUnavailable)) throw error
      options.log.error({ reason: error.message }, 'a token could not be checked, so a request was refused')
      throw new Problem(503, UNCHECKED, { headers: { 'retry-after': '5' } })
    }
  }
}

type Facts = TokenFacts | null

interface TokenCacheEntry {
  /** By the monotonic clock, as is the next one. */
  readonly until: number
  readonly againAt: number
  readonly facts: Facts
}

/** One query to Keystone for all concurrent requests with a token, and none while the cached answer is valid. */
function cachedFacts({ keystone, now, monotonicMs }: KeystoneCallerOptions): (token: string) => Promise<Facts> {
  // Separate caches, so that invented tokens do not evict validated ones.
  const validated = new Map<string, TokenCacheEntry>()
  const unknown = new Map<string, TokenCacheEntry>()
  const underWay = new Map<string, Promise<Facts>>()

  const validate = async (token: string, key: string): Promise<Facts> => {
    const facts = await keystone.validate(token)
    validated.delete(key)
    unknown.delete(key)
    const at = monotonicMs()
    if (facts === null || facts.expiresAtMs <= now()) {
      keep(unknown, key, { until: at + UNKNOWN_MS, againAt: Number.POSITIVE_INFINITY, facts: null })
      return null
    }
    keep(validated, key, {
      until: at + VALID_MS,
      againAt: at + REVALIDATE_AFTER_MS,
      facts,
    })
    return facts
  }

  const validateOnce = (token: string, key: string): Promise<Facts> => {
    const validating = underWay.get(key) ?? validate(token, key).finally(() => underWay.delete(key))
    underWay.set(key, validating)
    return validating
  }

  return async (token) => {
    // The token itself is not stored: a reader of this process's memory must not be able to use it.
    const key = createHash('sha256').update(token).digest('base64')
    const kept = validated.get(key) ?? unknown.get(key)
    const isOver = kept?.facts && kept.facts.expiresAtMs <= now()
    if (!kept || kept.until <= monotonicMs() || isOver) return validateOnce(token, key)
    // If it fails, all requests that wait for it are refused.
    if (kept.againAt <= monotonicMs()) validateOnce(token, key).catch(() => {})
    return kept.facts
  }
}

const UNCHECKED =
  'Keystone could not validate this token, so the request is refused. Nothing was changed. Try again; Berth’s log has the cause.'

const callerOf = ({ user, userId, roles, project }: TokenFacts, profile: Profile): Caller => ({
  name: `keystone ${user}`,
  owner: { kind: 'keystone', id: userId, name: user },
  may: (right, asked) => allowed({ profile, roles, project }, right, asked),
})

/** Evicts the oldest first. */
function keep(kept: Map<string, TokenCacheEntry>, key: string, entry: TokenCacheEntry): void {
  const [oldest] = kept.keys()
  if (kept.size >= MAX_CACHED_TOKENS && oldest !== undefined) kept.delete(oldest)
  kept.set(key, entry)
}

import { z } from 'zod'
import { type Identity, SignInRefused } from './identity'
import type { KeystoneSettings } from './settings'

// Sign-in with an OpenStack account: requests a token from Keystone with the entered password, reads the roles that
// come with it, and revokes it at once.

export interface Credentials {
  readonly username: string
  readonly password: string
  /** The user's; null: the one in the settings. */
  readonly domain: string | null
}

const TIMEOUT_MS = 10_000
const WRONG = [401, 403, 404]

const answerSchema = z.object({
  token: z.object({
    user: z.object({ id: z.string().min(1), name: z.string().min(1) }),
    roles: z.array(z.object({ name: z.string() })).default([]),
  }),
})

/** Throws a SignInRefused. */
export async function keystoneIdentity(settings: KeystoneSettings, credentials: Credentials): Promise<Identity> {
  const response = await ask(settings, credentials)
  if (WRONG.includes(response.status)) throw new SignInRefused('wrong', `Keystone answered ${response.status}.`)
  const parsed = response.ok ? answerSchema.safeParse(await response.json().catch(() => null)) : null
  const token = response.headers.get('x-subject-token')
  if (token !== null) await revokeToken(settings, token)
  if (!parsed?.success) {
    throw new SignInRefused('provider', `Keystone answered ${response.status}.`, { cause: parsed?.error })
  }
  const { user, roles } = parsed.data.token
  return {
    provider: 'keystone',
    subject: user.id,
    username: user.name,
    name: user.name,
    email: null,
    groups: roles.map(({ name }) => name),
  }
}

async function ask(settings: KeystoneSettings, credentials: Credentials): Promise<Response> {
  const { username, password, domain } = credentials
  const { scope } = settings
  const user = { name: username, password, domain: { name: domain ?? settings.userDomain } }
  const body = {
    auth: {
      identity: { methods: ['password'], password: { user } },
      scope:
        scope === 'system'
          ? { system: { all: true } }
          : { project: { name: scope.project, domain: { name: scope.domain } } },
    },
  }
  try {
    return await fetch(tokensOf(settings), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    throw new SignInRefused('provider', 'Keystone did not answer.', { cause: error })
  }
}

/** A token that is not needed must not be left to be stolen. If this fails, it expires. */
async function revokeToken(settings: KeystoneSettings, token: string): Promise<void> {
  const headers = { 'x-auth-token': token, 'x-subject-token': token }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await fetch(tokensOf(settings), { method: 'DELETE', headers, redirect: 'error', signal }).catch(() => {})
}

const tokensOf = ({ url }: KeystoneSettings) => `${url.href.replace(/\/$/, '')}/auth/tokens`

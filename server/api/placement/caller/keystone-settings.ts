import type { KeystoneSettings } from './keystone'

// How Berth finds Keystone and signs in there, from the variables OpenStack's own command line reads.

type Env = Readonly<Record<string, string | undefined>>

/** Throws for a missing value or an invalid URL; never prints a value that may be a secret. */
export function keystoneSettings(env: Env): KeystoneSettings {
  return { url: addressOf(env.OS_AUTH_URL), signIn: { ...ofApplication(env), ...ofUser(env) } }
}

function addressOf(text: string | undefined): string {
  if (!text) throw new Error('BERTH_PLACEMENT_AUTH=keystone needs OS_AUTH_URL, the address of Keystone.')
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search) {
    throw new Error('OS_AUTH_URL must be an http or https address such as https://keystone.example:5000/v3.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith('/v3') ? path : `${path}/v3`}`
}

/** An application credential carries its project with it. */
function ofApplication(env: Env): object | null {
  const id = env.OS_APPLICATION_CREDENTIAL_ID
  if (!id) return null
  const secret = needed(env, 'OS_APPLICATION_CREDENTIAL_SECRET')
  return { identity: { methods: ['application_credential'], application_credential: { id, secret } } }
}

function ofUser(env: Env): object | null {
  if (env.OS_APPLICATION_CREDENTIAL_ID) return null
  const name = needed(env, 'OS_USERNAME')
  const password = needed(env, 'OS_PASSWORD')
  const user = { name, password, domain: { name: env.OS_USER_DOMAIN_NAME || 'Default' } }
  const project = { name: env.OS_PROJECT_NAME || 'service', domain: { name: env.OS_PROJECT_DOMAIN_NAME || 'Default' } }
  return { identity: { methods: ['password'], password: { user } }, scope: { project } }
}

function needed(env: Env, name: string): string {
  const value = env[name]
  if (value) return value
  throw new Error(
    `BERTH_PLACEMENT_AUTH=keystone needs ${name}: sign in by OS_USERNAME and OS_PASSWORD, or by OS_APPLICATION_CREDENTIAL_ID and OS_APPLICATION_CREDENTIAL_SECRET.`,
  )
}

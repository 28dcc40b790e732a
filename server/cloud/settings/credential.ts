import {
  type Entry,
  isEntry,
  problemAt,
  type Reading,
  type ReadResult,
  type SettingsProblem,
  wrong,
} from './clouds-file'
import { Secret } from './secret'

// How an account signs in to Keystone v3, and its scope: `auth` and `auth_type` of clouds.yaml.

/** Something Keystone knows by id, or by name within a domain. */
export type KeystoneReference = { readonly id: string } | { readonly name: string; readonly domain: Domain }
export type Domain = { readonly id: string } | { readonly name: string }

export type Scope =
  | { readonly kind: 'project'; readonly project: KeystoneReference }
  | { readonly kind: 'domain'; readonly domain: Domain }
  | { readonly kind: 'system' }
  | { readonly kind: 'none' }

export type Credential =
  | { readonly kind: 'password'; readonly user: KeystoneReference; readonly password: Secret; readonly scope: Scope }
  | { readonly kind: 'token'; readonly token: Secret; readonly scope: Scope }
  /** Its project is fixed at creation, so it takes no scope. */
  | {
      readonly kind: 'application-credential'
      readonly credential: { readonly id: string } | { readonly name: string; readonly user: KeystoneReference }
      readonly secret: Secret
    }

const KIND_OF_TYPE: Readonly<Record<string, Credential['kind']>> = {
  ...{ password: 'password', v3password: 'password', token: 'token', v3token: 'token' },
  v3applicationcredential: 'application-credential',
}

/** Keys that openstacksdk also accepts beside `auth`. */
const AUTH_KEYS = [
  ...['username', 'user_name', 'user_id', 'password', 'token', 'auth_token', 'system_scope'],
  ...['project_id', 'project_name', 'tenant_id', 'tenant_name', 'domain_id', 'domain_name'],
  ...['user_domain_id', 'user_domain_name', 'project_domain_id', 'project_domain_name'],
  ...['application_credential_id', 'application_credential_name', 'application_credential_secret'],
] as const
type AuthKey = (typeof AUTH_KEYS)[number]
/** For these keys, if both are set, the one beside `auth` wins; for all others the one inside. */
const FIRST_BESIDE = /domain|project|tenant|token/

type AuthTexts = Readonly<Partial<Record<AuthKey, string>>>

export function readCredential(entry: Entry, at: Reading): ReadResult<Credential> {
  const texts = authTexts(entry, at)
  if (!texts.ok) return texts
  const auth = texts.value
  const type = String(entry.auth_type ?? entry.auth_plugin ?? (hasOnlyToken(auth) ? 'token' : 'password'))
  const kind = Object.hasOwn(KIND_OF_TYPE, type) ? KIND_OF_TYPE[type] : undefined
  const missing = (key: string, fix: string) => wrong(problemAt(at, `auth.${key}`, ['it is missing', fix]))
  if (kind === 'application-credential') {
    const secret = auth.application_credential_secret
    const credential = applicationCredentialOf(auth)
    if (!credential) return missing('application_credential_id', 'write the id, or the name and its user')
    if (!secret) return missing('application_credential_secret', 'write it there or in secure.yaml')
    return { ok: true, value: { kind, credential, secret: new Secret(secret) } }
  }
  if (kind === 'token') {
    const token = auth.token ?? auth.auth_token
    return token
      ? { ok: true, value: { kind, token: new Secret(token), scope: scopeOf(auth) } }
      : missing('token', 'write it there or in secure.yaml')
  }
  if (kind === 'password') {
    const user = userOf(auth)
    if (!user) return missing('username', 'write user_id, or username with user_domain_name or user_domain_id')
    if (!auth.password) return missing('password', 'write it there or in secure.yaml')
    return { ok: true, value: { kind, user, password: new Secret(auth.password), scope: scopeOf(auth) } }
  }
  const fix = `write one of: ${Object.keys(KIND_OF_TYPE).join(', ')}`
  return wrong(problemAt(at, 'auth_type', ['this way to sign in is not supported', fix]))
}

const hasOnlyToken = (auth: AuthTexts) => auth.password === undefined && (auth.token ?? auth.auth_token) !== undefined

function authTexts(entry: Entry, at: Reading): ReadResult<AuthTexts> {
  const inside = isEntry(entry.auth) ? entry.auth : {}
  const problems: SettingsProblem[] = []
  const texts: Partial<Record<AuthKey, string>> = {}
  for (const key of AUTH_KEYS) {
    const value = FIRST_BESIDE.test(key) ? (entry[key] ?? inside[key]) : (inside[key] ?? entry[key])
    if (typeof value === 'string') texts[key] = value
    else if (value !== undefined && value !== null)
      problems.push(problemAt(at, `auth.${key}`, ['YAML does not read it as a text', 'put it in quotes']))
  }
  return problems.length > 0 ? wrong(...problems) : { ok: true, value: texts }
}

const domainOf = (id: string | undefined, name: string | undefined): Domain | null =>
  id ? { id } : name ? { name } : null

function named(id: string | undefined, name: string | undefined, domain: Domain | null): KeystoneReference | null {
  if (id) return { id }
  // Keystone's first domain, by its own name.
  return name ? { name, domain: domain ?? { id: 'default' } } : null
}

const userOf = (auth: AuthTexts): KeystoneReference | null =>
  named(
    auth.user_id,
    auth.username ?? auth.user_name,
    domainOf(auth.user_domain_id ?? auth.domain_id, auth.user_domain_name ?? auth.domain_name),
  )

function applicationCredentialOf(auth: AuthTexts) {
  if (auth.application_credential_id) return { id: auth.application_credential_id }
  const user = userOf(auth)
  return auth.application_credential_name && user ? { name: auth.application_credential_name, user } : null
}

function scopeOf(auth: AuthTexts): Scope {
  if (auth.system_scope === 'all') return { kind: 'system' }
  const project = named(
    auth.project_id ?? auth.tenant_id,
    auth.project_name ?? auth.tenant_name,
    domainOf(auth.project_domain_id ?? auth.domain_id, auth.project_domain_name ?? auth.domain_name),
  )
  if (project) return { kind: 'project', project }
  const domain = domainOf(auth.domain_id, auth.domain_name)
  return domain ? { kind: 'domain', domain } : { kind: 'none' }
}

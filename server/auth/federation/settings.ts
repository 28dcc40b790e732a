import fs from 'node:fs'
import { GRANTS_MAX, type Grant, grantText, parseGrant, scopeText } from '../grant'

// Identity providers for signing in, from environment variables: an OpenID Connect provider and a Keystone. An
// incomplete setting is an error at startup, not at the first sign-in.

export interface OidcSettings {
  readonly issuer: URL
  readonly clientId: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** In the label of the button: `Sign in with …`. */
  readonly name: string
  readonly scopes: string
  /** The claim that lists the user's groups. */
  readonly groupsClaim: string
  readonly roles: RoleMap
}

export interface KeystoneSettings {
  /** With its version, such as `https://cloud:5000/v3`. */
  readonly url: URL
  /** In the label of the choice: `Sign in with …`. */
  readonly name: string
  readonly userDomain: string
  readonly scope: { readonly project: string; readonly domain: string } | 'system'
  readonly roles: RoleMap
}

export interface FederationSettings {
  readonly oidc: OidcSettings | null
  readonly keystone: KeystoneSettings | null
}

export const NO_FEDERATION: FederationSettings = { oidc: null, keystone: null }

/** Group or Keystone role → role in Berth, for the whole fleet or a part of it, such as `operator@zone:az1`. */
export type RoleMap = ReadonlyMap<string, string>

type Environment = Readonly<Record<string, string | undefined>>

/** From lowest to highest. */
const RANKS = ['viewer', 'support', 'operator', 'admin']
const LEAST = 'viewer'
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Throws an error that names the variable and what it needs. */
export function federationFrom(environment: Environment): FederationSettings {
  return { oidc: oidcFrom(environment), keystone: keystoneFrom(environment) }
}

/**
 * The highest role that the groups give; null if none of them is mapped. A user whose groups have roles only in parts
 * of the fleet is a viewer of the whole fleet.
 */
export function roleOf(map: RoleMap, groups: readonly string[]): string | null {
  const texts = groups.flatMap((group) => map.get(group) ?? [])
  const ranks = texts.map((text) => RANKS.indexOf(parseGrant(text) ? LEAST : text))
  return RANKS[Math.max(-1, ...ranks)] ?? null
}

/** The highest role that the groups give in each part of the fleet, as texts. */
export function grantsOf(map: RoleMap, groups: readonly string[]): readonly string[] {
  const highest = new Map<string, Grant>()
  for (const grant of groupsGrants(map, groups)) {
    const key = scopeText(grant.scope)
    const before = highest.get(key)
    if (!before || RANKS.indexOf(grant.role) > RANKS.indexOf(before.role)) highest.set(key, grant)
  }
  return [...highest.values()].map(grantText).sort().slice(0, GRANTS_MAX)
}

const groupsGrants = (map: RoleMap, groups: readonly string[]): readonly Grant[] =>
  groups.map((group) => parseGrant(map.get(group) ?? '')).filter((grant) => grant !== null)

function oidcFrom(environment: Environment): OidcSettings | null {
  const { BERTH_OIDC_ISSUER: issuerText, BERTH_OIDC_CLIENT_ID: clientId } = environment
  if (!issuerText) return null
  if (!clientId) throw new Error('BERTH_OIDC_ISSUER needs BERTH_OIDC_CLIENT_ID beside it.')
  const issuer = urlFrom('BERTH_OIDC_ISSUER', issuerText)
  return {
    issuer,
    clientId,
    clientSecret: secretFrom(environment),
    name: environment.BERTH_OIDC_NAME || issuer.host,
    scopes: environment.BERTH_OIDC_SCOPES || 'openid profile email',
    groupsClaim: environment.BERTH_OIDC_GROUPS_CLAIM || 'groups',
    roles: rolesFrom('BERTH_OIDC_ROLES', environment.BERTH_OIDC_ROLES),
  }
}

function keystoneFrom(environment: Environment): KeystoneSettings | null {
  const { BERTH_KEYSTONE_SIGN_IN_URL: text, BERTH_KEYSTONE_SIGN_IN_PROJECT: project } = environment
  if (!text) return null
  const url = urlFrom('BERTH_KEYSTONE_SIGN_IN_URL', text)
  const domain = environment.BERTH_KEYSTONE_SIGN_IN_PROJECT_DOMAIN || 'Default'
  return {
    url,
    name: environment.BERTH_KEYSTONE_SIGN_IN_NAME || `OpenStack at ${url.host}`,
    userDomain: environment.BERTH_KEYSTONE_SIGN_IN_USER_DOMAIN || 'Default',
    scope: project ? { project, domain } : 'system',
    roles: rolesFrom('BERTH_KEYSTONE_SIGN_IN_ROLES', environment.BERTH_KEYSTONE_SIGN_IN_ROLES),
  }
}

/** Passwords and codes are sent there, so http is permitted for this machine only. */
function urlFrom(variable: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))) return url
  throw new Error(`${variable} is ${text}: it must be an https URL, or an http URL of this machine.`)
}

function secretFrom({ BERTH_OIDC_CLIENT_SECRET, BERTH_OIDC_CLIENT_SECRET_FILE }: Environment): string | null {
  if (BERTH_OIDC_CLIENT_SECRET) return BERTH_OIDC_CLIENT_SECRET
  return BERTH_OIDC_CLIENT_SECRET_FILE ? fs.readFileSync(BERTH_OIDC_CLIENT_SECRET_FILE, 'utf8').trim() : null
}

/** `cloud-admins=admin, on-call=operator@zone:az1`. Groups take any character but `,`, scopes any but `,` and `=`. */
function rolesFrom(variable: string, text: string | undefined): RoleMap {
  const pairs = (text ?? '').split(',').map((pair): [string, string] => {
    const at = pair.lastIndexOf('=')
    return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()]
  })
  const isRole = (role: string) => RANKS.includes(role) || parseGrant(role) !== null
  const bad = pairs.find(([group, role]) => group === '' || !isRole(role))
  if (!bad) return new Map(pairs)
  const have = text ? `${variable} has ${bad.join('=')}` : `${variable} is not set`
  throw new Error(`${have}: it must map groups to roles, such as \`cloud-admins=admin,on-call=operator\`. ${KNOWN}`)
}

const KNOWN = `Roles are ${RANKS.join(', ')}, or one in a part of the fleet, such as operator@zone:az1.`

// A role that somebody has in a part of the fleet, as one text: `operator@zone:az1`. Settings, tables, REST and the audit
// log all spell it so. A host or a cloud is named as people name it: names are unique, and a grant can be read.

export const GRANTED_ROLES = ['support', 'operator', 'admin'] as const
export type GrantedRole = (typeof GRANTED_ROLES)[number]

export const SCOPE_KINDS = ['zone', 'host', 'cloud'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

/** All hosts of a zone, one host, which is one connection to libvirt, or one OpenStack cloud. */
export interface Scope {
  readonly kind: ScopeKind
  readonly name: string
}

export interface Grant {
  readonly role: GrantedRole
  readonly scope: Scope
}

export const SCOPE_NAME_MAX = 200
export const GRANTS_MAX = 50

export const scopeText = ({ kind, name }: Scope): string => `${kind}:${name}`
export const grantText = ({ role, scope }: Grant): string => `${role}@${scopeText(scope)}`

const TEXT = new RegExp(`^(${GRANTED_ROLES.join('|')})@(.*)$`, 'u')
const SCOPE = new RegExp(`^(${SCOPE_KINDS.join('|')}):([^\\p{Cc}]{1,${SCOPE_NAME_MAX}})$`, 'u')

/** Null of a text that is no grant. */
export function parseGrant(text: string): Grant | null {
  const [, role, rest = ''] = TEXT.exec(text) ?? []
  const scope = parseScope(rest)
  return role === undefined || scope === null ? null : { role: role as GrantedRole, scope }
}

/** Null of a text that is no scope. */
export function parseScope(text: string): Scope | null {
  const [, kind, name = ''] = SCOPE.exec(text) ?? []
  return kind === undefined || name.trim() !== name ? null : { kind: kind as ScopeKind, name }
}

/** What a table has may have been put there by hand: a text that is no grant gives nothing. */
export const grantsFrom = (texts: readonly string[]): readonly Grant[] =>
  texts.map(parseGrant).filter((grant) => grant !== null)

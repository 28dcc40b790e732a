// A role in a part of the fleet, as one text: `operator@zone:az1`. Settings, tables, REST and the audit log all use
// this form. Hosts and clouds are given by name, not by id: names are unique, and the grant stays readable.

export const GRANTED_ROLES = ['support', 'operator', 'admin'] as const
export type GrantedRole = (typeof GRANTED_ROLES)[number]

export const SCOPE_KINDS = ['zone', 'host', 'cloud'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

/** Where a role applies: the hosts of one zone, one host (its libvirt connection included), or one OpenStack cloud. */
export interface Scope {
  readonly kind: ScopeKind
  readonly name: string
}

export interface Grant {
  readonly role: GrantedRole
  readonly scope: Scope
}

const SCOPE_NAME_MAX = 200
export const GRANTS_MAX = 50

export const scopeText = ({ kind, name }: Scope): string => `${kind}:${name}`
export const grantText = ({ role, scope }: Grant): string => `${role}@${scopeText(scope)}`

const TEXT = new RegExp(`^(${GRANTED_ROLES.join('|')})@(.*)$`, 'u')
const SCOPE = new RegExp(`^(${SCOPE_KINDS.join('|')}):([^\\p{Cc}]{1,${SCOPE_NAME_MAX}})$`, 'u')

/** Null if the text is not a grant. */
export function parseGrant(text: string): Grant | null {
  const [, role, rest = ''] = TEXT.exec(text) ?? []
  const scope = parseScope(rest)
  return role === undefined || scope === null ? null : { role: role as GrantedRole, scope }
}

/** Null if the text is not a scope. */
export function parseScope(text: string): Scope | null {
  const [, kind, name = ''] = SCOPE.exec(text) ?? []
  return kind === undefined || name.trim() !== name ? null : { kind: kind as ScopeKind, name }
}

/** Rows may have been edited by hand: a text that is not a grant gives no rights. */
export const grantsFrom = (texts: readonly string[]): readonly Grant[] =>
  texts.map(parseGrant).filter((grant) => grant !== null)

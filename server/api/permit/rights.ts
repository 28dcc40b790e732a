import type { Grant, Scope } from '../../auth/grant'
import { type Capability, leastRoleFor, may, type Role } from './roles'

// A user has one role everywhere and may have higher ones in parts of the fleet. A write is judged by the highest role
// on each object that it touches; a read by the user's highest role anywhere (decision 401).

export interface Rights {
  /** Everywhere. */
  readonly role: Role
  readonly grants: readonly Grant[]
}

/** An object that a write touches, with everything by which a scope can cover it. */
export type PermitTarget =
  | { readonly kind: 'host'; readonly name: string; readonly zone: string | null }
  | { readonly kind: 'zone'; readonly name: string }
  | { readonly kind: 'cloud'; readonly name: string }
  /** In no scope, such as an instance without a host: the role is needed everywhere. */
  | { readonly kind: 'fleet'; readonly name: string }

/** Whether this user may perform the action now. Screens show `why` and repeat no rule. */
export type Permit = { readonly ok: true } | { readonly ok: false; readonly why: string }

export const everywhere = (role: Role): Rights => ({ role, grants: [] })

export const touchedHost = ({ name, zone }: { readonly name: string; readonly zone: string | null }): PermitTarget => ({
  kind: 'host',
  name,
  zone,
})

function covers({ kind, name }: Scope, touched: PermitTarget): boolean {
  if (touched.kind === 'host' && kind === 'zone') return touched.zone === name
  return touched.kind === kind && touched.name === name
}

/** Whether the user may do this write to every object. */
export const mayAll = (rights: Rights, capability: Capability, touched: readonly PermitTarget[]): boolean =>
  may(rights.role, capability) || (touched.length > 0 && touched.every((each) => mayOn(rights, capability, each)))

const mayOn = ({ grants }: Rights, capability: Capability, touched: PermitTarget): boolean =>
  grants.some(({ role, scope }) => may(role, capability) && covers(scope, touched))

/** Whether they may do it to anything at all. */
export const maySomewhere = (rights: Rights, capability: Capability): boolean =>
  may(rights.role, capability) || scopesOf(rights, capability).length > 0

/** Where they may do it by grants alone. */
export const scopesOf = ({ grants }: Rights, capability: Capability): readonly Scope[] =>
  grants.filter(({ role }) => may(role, capability)).map(({ scope }) => scope)

/**
 * True when the host is outside of the user's scope, so that the scheduler must not choose it. False for all hosts when
 * the role permits it nowhere, because that refusal names the role.
 */
export const isOutside = (
  rights: Rights,
  capability: Capability,
  host: { readonly name: string; readonly zone: string | null },
): boolean => maySomewhere(rights, capability) && !mayAll(rights, capability, [touchedHost(host)])

const YES: Permit = { ok: true }

/** For objects of the fleet as a whole. */
export function permitFor(rights: Rights, capability: Capability): Permit {
  return may(rights.role, capability) ? YES : { ok: false, why: denialReason(rights, capability, []) }
}

/** For a write that touches these objects. */
export function permitOn(rights: Rights, capability: Capability, touched: readonly PermitTarget[]): Permit {
  return mayAll(rights, capability, touched) ? YES : { ok: false, why: denialReason(rights, capability, touched) }
}

/** For a right on at least one object. */
export function permitSomewhere(rights: Rights, capability: Capability): Permit {
  return maySomewhere(rights, capability) ? YES : { ok: false, why: denialReason(rights, capability, []) }
}

const NAMED = 3

/** For a refused write: the user's rights by scope, and the objects outside. */
export function denialReason(rights: Rights, capability: Capability, touched: readonly PermitTarget[]): string {
  const here = rights.grants.filter(({ role }) => may(role, capability))
  const [first] = here
  if (!first) return `Your role is ${rights.role}; this needs ${leastRoleFor(capability)}.`
  const scopes = [...new Set(here.map(({ scope }) => `${scope.kind} ${scope.name}`))]
  const held = `Your role ${first.role} applies to ${listed(scopes)}`
  const outside = touched.filter((each) => !mayOn(rights, capability, each))
  if (outside.length === 0) return `${held}; this needs ${leastRoleFor(capability)} everywhere.`
  return `${held}; ${listed(outside.map(describeTouched), '; ')}.`
}

export function listed(texts: readonly string[], by = ', ', most = NAMED): string {
  const rest = texts.length - most
  const shown = texts.slice(0, most).join(by)
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

function describeTouched(touched: PermitTarget): string {
  if (touched.kind === 'host')
    return touched.zone === null ? `${touched.name} is in no zone` : `${touched.name} is in zone ${touched.zone}`
  return touched.kind === 'fleet' ? `${touched.name} needs it everywhere` : `${touched.kind} ${touched.name} is outside`
}

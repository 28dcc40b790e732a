import { parseScope, scopeText } from '../../auth/grant'
import type { Run } from '../../store/run/row'
import { type HostOf, permitTargetsOf } from '../permit/permits'
import { type PermitTarget, type Rights, scopesOf } from '../permit/rights'
import { type Capability, may } from '../permit/roles'

// The reach of a run. A plan by a user with a role in parts of the fleet is limited to their hosts, whoever starts it
// and however often it is replanned.

/** The parts of the fleet that their plan is limited to; empty: no limit. */
export const boundsOf = (rights: Rights, capability: Capability): readonly string[] =>
  may(rights.role, capability) ? [] : scopesOf(rights, capability).map(scopeText)

/** Its host, and every part of the fleet in which its plan may choose one. */
export function runReach({ host, within }: Pick<Run, 'host' | 'within'>, hostOf: HostOf): readonly PermitTarget[] {
  const own = permitTargetsOf(hostOf, [host], 'the plan')
  if (within.length === 0) return [...own, { kind: 'fleet', name: 'a plan over all hosts' }]
  return [...own, ...within.map(touchedScope)]
}

function touchedScope(text: string): PermitTarget {
  const scope = parseScope(text)
  if (scope === null) return { kind: 'fleet', name: text }
  const { kind, name } = scope
  return kind === 'host' ? { kind, name, zone: null } : { kind, name }
}

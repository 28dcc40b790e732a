import type { Constraints } from '../demand'
import type { Host } from '../host'
import type { Refusal } from '../words/refusal'
import type { Provider } from './inventory'

// A host's properties other than capacity: traits, aggregates, zone. Source: Placement `required`, `member_of`, and
// Nova's availability zones.

/** The host's own providers: the tree without those that only share with it. */
export function treeOf(host: Host): readonly Provider[] {
  return host.providers.filter((provider) => !provider.sharing)
}

/** Sharing providers that serve the host: at least one aggregate in common with a provider of its tree. */
export function sharersOf(host: Host): readonly Provider[] {
  const mine = new Set(treeOf(host).flatMap((provider) => provider.aggregates))
  return host.providers.filter((provider) => provider.sharing && provider.aggregates.some((each) => mine.has(each)))
}

/**
 * Required traits that no provider of the tree has. A sharing provider may still supply them, if the claim takes
 * something from it: `candidates.ts` prefers such a provider and the claim checks again.
 */
export function traitsMissing(host: Host, required: readonly string[]): readonly string[] {
  if (required.length === 0) return []
  const tree = treeOf(host)
  return required.filter((trait) => !tree.some((provider) => provider.traits.includes(trait)))
}

/** All refusals except required traits, which depend on the providers of the amounts. */
export function refusalsExceptTraits(host: Host, constraints: Constraints): Refusal[] {
  const refusals: Refusal[] = []
  forbiddenTraits(host, constraints.forbiddenTraits, refusals)
  aggregates(host, constraints, refusals)
  const zone = constraints.zone
  if (zone !== null && host.zone !== zone) {
    refusals.push({ kind: 'zone', where: {}, need: zone, have: host.zone ?? 'none' })
  }
  return refusals
}

// A forbidden trait anywhere in the tree refuses the host. Placement checks only the providers that would give
// something; but `trait:CUSTOM_WINDOWS_LICENSED=forbidden` is meant for the machine.
function forbiddenTraits(host: Host, forbidden: readonly string[], refusals: Refusal[]): void {
  for (const trait of forbidden) {
    const bearer = host.providers.find((provider) => !provider.sharing && provider.traits.includes(trait))
    if (bearer) {
      refusals.push({ kind: 'trait-forbidden', where: { provider: bearer.name }, need: `not ${trait}`, have: trait })
    }
  }
}

function aggregates(host: Host, constraints: Constraints, refusals: Refusal[]): void {
  const own = host.providers[0]?.aggregates ?? []
  const have = own.length === 0 ? 'none' : own.join(', ')
  for (const anyOf of constraints.memberOf) {
    if (anyOf.some((each) => own.includes(each))) continue
    refusals.push({ kind: 'aggregate-missing', where: {}, need: anyOf.join(' or '), have })
  }
  for (const each of constraints.notMemberOf) {
    if (own.includes(each)) refusals.push({ kind: 'aggregate-forbidden', where: {}, need: `not ${each}`, have: each })
  }
}

export function missingTraitRefusals(missing: readonly string[], givers: readonly Provider[]): Refusal[] {
  return missing
    .filter((trait) => !givers.some((provider) => provider.traits.includes(trait)))
    .map(
      (trait): Refusal => ({ kind: 'trait-missing', where: {}, need: trait, have: 'no provider of the host has it' }),
    )
}

import { isDeepStrictEqual } from 'node:util'
import type { Consumer, PlacementContents, Provider } from './contents'

// Differences of a copied Placement from the original, one line each.

const PARTS = ['name', 'parent', 'inventories', 'traits', 'aggregates'] as const
export type ProviderPart = (typeof PARTS)[number]

/** The parts of a provider that differ. */
export const partsThatDiffer = (one: Provider, other: Provider): readonly ProviderPart[] =>
  PARTS.filter((part) => !isDeepStrictEqual(one[part], other[part]))

export const isSameConsumer = (one: Consumer, other: Consumer | undefined): boolean =>
  other !== undefined && isDeepStrictEqual({ ...one, generation: null }, { ...other, generation: null })

export interface Difference {
  /** extra: a provider that only the copy has. It was deleted in the original or belongs to another client. */
  readonly about: 'class' | 'trait' | 'provider' | 'allocation' | 'extra'
  readonly text: string
}

export function differencesBetween(from: PlacementContents, to: PlacementContents): readonly Difference[] {
  const found: Difference[] = []
  const note = (about: Difference['about'], text: string) => void found.push({ about, text })
  for (const name of from.classes) if (!to.classes.has(name)) note('class', `${name} is missing`)
  for (const name of from.traits) if (!to.traits.has(name)) note('trait', `${name} is missing`)
  for (const [id, provider] of from.providers) {
    const other = to.providers.get(id)
    if (other === undefined) note('provider', `${provider.name} is missing`)
    else for (const part of partsThatDiffer(provider, other)) note('provider', `${provider.name}: other ${part}`)
  }
  for (const [id, { name }] of to.providers) if (!from.providers.has(id)) note('extra', `${name} is only in the copy`)
  for (const [id, consumer] of from.consumers) {
    const other = to.consumers.get(id)
    if (other === undefined) note('allocation', `${id} holds nothing`)
    else if (!isSameConsumer(consumer, other)) note('allocation', `${id} holds something else, or for somebody else`)
  }
  for (const id of consumersOnlyIn(to, from)) note('allocation', `${id} holds something only in the copy`)
  return found
}

/** Consumers that hold something of a common provider, and nothing in the other Placement. */
export const consumersOnlyIn = (to: PlacementContents, from: PlacementContents): readonly string[] =>
  [...to.consumers].flatMap(([id, { allocations }]) =>
    !from.consumers.has(id) && Object.keys(allocations).some((provider) => from.providers.has(provider)) ? [id] : [],
  )

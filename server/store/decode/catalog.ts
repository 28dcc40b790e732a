import { z } from 'zod'
import { type Flavor, GROUP_POLICIES, type GroupPolicy, type Image, type PciAlias } from '../../engine/demand'
import { flavor, image, integer, listOf, text, words } from './columns'
import { fitsOf } from './fits'

// Unreadable catalog entries are left out of the lists, because nothing may be built from them.

export const isFlavor = fitsOf(flavor) as (row: unknown) => row is Flavor
export const isImage = fitsOf(image) as (row: unknown) => row is Image
export const isAlias = fitsOf(
  z.looseObject({
    ...{ name: text, spec: listOf(z.record(text, text), 'specs') },
    numaPolicy: words(['required', 'legacy', 'preferred', 'socket']).nullable(),
  }),
) as (row: unknown) => row is PciAlias

/** A server group as the catalog shows it. */
export interface GroupRule {
  readonly name: string
  readonly policy: GroupPolicy
  readonly maxPerHost: number
}
export const isGroup = fitsOf(z.looseObject({ name: text, policy: words(GROUP_POLICIES), maxPerHost: integer })) as (
  row: unknown,
) => row is GroupRule

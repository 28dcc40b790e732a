import { z } from 'zod'
import { type Flavor, GROUP_POLICIES, type GroupPolicy, type Image, type PciAlias } from '../../engine/demand'
import { flavor, image, integer, listOf, text, words } from './columns'
import { fitsOf } from './fits'

// The catalog. An unreadable entry is left out of the lists: nothing may be built from it.

const fitsFlavor = fitsOf(flavor)
const fitsImage = fitsOf(image)
const fitsAlias = fitsOf(
  z.looseObject({
    ...{ name: text, spec: listOf(z.record(text, text), 'specs') },
    numaPolicy: words(['required', 'legacy', 'preferred', 'socket']).nullable(),
  }),
)

const fitsGroup = fitsOf(z.looseObject({ name: text, policy: words(GROUP_POLICIES), maxPerHost: integer }))

export const isFlavor = (row: unknown): row is Flavor => fitsFlavor(row)
export const isImage = (row: unknown): row is Image => fitsImage(row)
export const isAlias = (row: unknown): row is PciAlias => fitsAlias(row)

/** A server group as the catalog shows it. */
export interface GroupRule {
  readonly name: string
  readonly policy: GroupPolicy
  readonly maxPerHost: number
}
export const isGroup = (row: unknown): row is GroupRule => fitsGroup(row)

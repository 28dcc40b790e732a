import { z } from 'zod'
import type { Flavor, Image, PciAlias } from '../../engine/demand'
import { flavor, image, listOf, text, words } from './columns'
import { fitsOf } from './fits'

// What people choose from. An entry that cannot be read is left out of the lists: nothing may be built from it.

const fitsFlavor = fitsOf(flavor)
const fitsImage = fitsOf(image)
const fitsAlias = fitsOf(
  z.looseObject({
    ...{ name: text, spec: listOf(z.record(text, text), 'specs') },
    numaPolicy: words(['required', 'legacy', 'preferred', 'socket']).nullable(),
  }),
)

export const isFlavor = (row: unknown): row is Flavor => fitsFlavor(row)
export const isImage = (row: unknown): row is Image => fitsImage(row)
export const isAlias = (row: unknown): row is PciAlias => fitsAlias(row)

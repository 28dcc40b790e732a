import type { HeldClaim } from '../audit/finding'
import type { ConsumerWithoutClaim, StrayAllocation } from '../audit/snapshot'
import { keyOf, type Line, sameValue } from '../rows'
import { linesOfHolding } from '../rows-of-holding'
import type { ConsumerId } from '../words/ids'

// Rows before and rows after; the difference is the repair. Lines made this way cannot omit a row of a claim.

/** Rows by key, each as the line that would create it. */
export type RowImages = Map<string, Line>

// A unit that passes on is taken from one claim and given to another: wrong records may show both at once.
const imageKey = (image: Line): string =>
  image.row === 'unit-holding' ? `${keyOf(image)} ${image.after?.claim}` : keyOf(image)

export const putClaim = (images: RowImages, { host, holding }: HeldClaim, why: string): void =>
  put(images, linesOfHolding(host, holding, why))

export function putStrays(images: RowImages, strays: readonly StrayAllocation[], why: string): void {
  put(
    images,
    strays.map(({ consumer, provider, resourceClass, amount, host }) => {
      const key = { consumer, provider, resourceClass }
      return { row: 'allocation', key, before: null, after: { amount }, host, why }
    }),
  )
}

/** Consumer rows whose type does not match their claims. */
export function putTypes(images: RowImages, typeOf: ReadonlyMap<ConsumerId, string>): void {
  for (const [key, image] of images) {
    const type = image.row === 'consumer' ? typeOf.get(image.key.id) : undefined
    if (type !== undefined) images.set(key, { ...image, after: { type } } as Line)
  }
}

export function putConsumer(images: RowImages, { id, type }: ConsumerWithoutClaim, why: string): void {
  put(images, [{ row: 'consumer', key: { id }, before: null, after: { type }, host: null, why }])
}

function put(images: RowImages, lines: readonly Line[]): void {
  for (const line of lines) images.set(imageKey(line), line)
}

/** The lines that turn `before` into `after`. Rows that are equal in both are left alone. */
export function linesBetween(before: RowImages, after: RowImages): readonly Line[] {
  const lines: Line[] = []
  for (const [key, image] of before) {
    if (!after.has(key)) lines.push({ ...image, before: image.after, after: null } as Line)
  }
  for (const [key, image] of after) {
    const was = before.get(key)
    if (was === undefined) lines.push(image)
    else if (!sameValue(was.after, image.after)) lines.push({ ...image, before: was.after } as Line)
  }
  return lines
}

// Paths of the lines between an instance and its places, in the picture's own coordinates. Arithmetic only: the
// renderer measures the screen.

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** From the middle of the instance's near edge to the place, with horizontal ends so that lines fan out legibly. */
export function lineTo(instance: Box, place: Box): { readonly path: string; readonly x: number; readonly y: number } {
  const toTheLeft = place.left + place.width / 2 <= instance.left
  const from = { x: toTheLeft ? instance.left : instance.left + instance.width, y: instance.top + instance.height / 2 }
  const to = { x: toTheLeft ? place.left + place.width : place.left, y: place.top + place.height / 2 }
  const bend = Math.max(24, Math.abs(from.x - to.x) / 2) * (toTheLeft ? -1 : 1)
  const path = `M${n(from.x)} ${n(from.y)}C${n(from.x + bend)} ${n(from.y)} ${n(to.x - bend)} ${n(to.y)} ${n(to.x)} ${n(to.y)}`
  return { path, x: to.x, y: to.y }
}

/** From a vCPU's old place to its new one: an arc above both, so that it does not cross what lies between. */
export function arcBetween(old: Box, fresh: Box): string {
  const from = { x: old.left + old.width / 2, y: old.top + old.height / 2 }
  const to = { x: fresh.left + fresh.width / 2, y: fresh.top + fresh.height / 2 }
  const rise = 14 + Math.hypot(to.x - from.x, to.y - from.y) / 5
  return `M${n(from.x)} ${n(from.y)}Q${n((from.x + to.x) / 2)} ${n(Math.min(from.y, to.y) - rise)} ${n(to.x)} ${n(to.y)}`
}

const n = (value: number) => Math.round(value * 10) / 10

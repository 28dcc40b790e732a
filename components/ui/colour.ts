// Colours as numbers, to test the contrast of roles: OKLCH to linear light, contrast by WCAG 2, and colour blindness as
// simulated by Machado, Oliveira, Fernandes 2009, full severity.

/** Red, green and blue as linear light from 0 to 1. */
export type Light = readonly [number, number, number]
type Matrix = readonly [Light, Light, Light]

export const VISIONS: Readonly<Record<'every' | 'protan' | 'deutan' | 'tritan', Matrix>> = {
  every: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
export type Vision = keyof typeof VISIONS

/** `oklch(0.5 0.13 235)`: lightness from 0 to 1, chroma, hue in degrees. */
export function lightOf(text: string): Light {
  const found = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(text.trim())
  if (!found) throw new Error(`${text} is no opaque oklch colour`)
  const [lightness = 0, chroma = 0, hue = 0] = found.slice(1).map(Number)
  const angle = (hue * Math.PI) / 180
  return fromOklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle))
}

function fromOklab(lightness: number, a: number, b: number): Light {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return clamped([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ])
}

const clamped = ([r, g, b]: Light): Light => [unit(r), unit(g), unit(b)]
const unit = (value: number) => Math.min(1, Math.max(0, value))
const dot = ([x, y, z]: Light, [r, g, b]: Light) => x * r + y * g + z * b

export function simulateVision(vision: Vision, light: Light): Light {
  const [r, g, b] = VISIONS[vision]
  return clamped([dot(r, light), dot(g, light), dot(b, light)])
}

const luminance = (light: Light) => dot([0.2126, 0.7152, 0.0722], light)

/** From 1, the same, to 21, black on white. */
export function contrast(one: Light, other: Light): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { contrast, lightOf, simulateVision, VISIONS, type Vision } from './colour'

// The roles of globals.css: text is legible on every background it may stand on, in both themes and for all colour
// vision; and controls have an outline.

const css = readFileSync(path.join(import.meta.dirname, '../../app/globals.css'), 'utf8')
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const OKLCH = 'oklch\\([^)]*\\)'
const roles = new Map<string, Readonly<Record<Theme, string>>>()
for (const [, name = '', light = '', dark = ''] of css.matchAll(
  new RegExp(`^ {2}--([a-z-]+): light-dark\\((${OKLCH}), (${OKLCH})\\);`, 'gm'),
)) {
  roles.set(name, { light, dark })
}
for (const [, name = '', both = ''] of css.matchAll(new RegExp(`^ {2}--([a-z-]+): (${OKLCH});`, 'gm'))) {
  roles.set(name, { light: both, dark: both })
}

function colour(name: string, theme: Theme, vision: Vision) {
  const role = roles.get(name)
  if (!role) throw new Error(`globals.css has no role --${name}`)
  return simulateVision(vision, lightOf(role[theme]))
}

const SURFACES = ['canvas', 'surface', 'raised', 'sunken', 'hover']
const SPEAKING = ['ok', 'flow', 'warn', 'bad', 'twice']
const on = (texts: readonly string[], surfaces: readonly string[]) =>
  texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const))

const TEXT = [
  ...on(['ink', 'soft', 'faint', 'accent', ...SPEAKING], SURFACES),
  ...SPEAKING.map((tone) => [tone, `${tone}-wash`] as const),
  ...on(['ink'], [...SPEAKING.map((tone) => `${tone}-wash`), 'accent-wash']),
  ...on(['accent'], ['accent-wash']),
  ...on(['on-fill'], ['accent-fill', 'bad-fill']),
  ...on(['map-on-held'], ['map-held', 'map-held-alt']),
]
const OUTLINES = [
  ...on(['edge', 'accent'], SURFACES),
  ...on(['map-held', 'map-held-alt', 'map-incoming', 'map-outgoing'], ['map-free']),
  // With some colour blindness the red of a danger button is dark; its text identifies the button.
  ...on(['accent-fill'], ['canvas', 'surface']),
]

const visions = Object.keys(VISIONS) as readonly Vision[]
const views = THEMES.flatMap((theme) => visions.map((vision) => [theme, vision] as const))

function below(pairs: readonly (readonly [string, string])[], least: number, [theme, vision]: (typeof views)[number]) {
  return pairs.flatMap(([front, surface]) => {
    const ratio = contrast(colour(front, theme, vision), colour(surface, theme, vision))
    return ratio < least ? [`${front} on ${surface} is ${ratio.toFixed(2)}`] : []
  })
}

describe.each(views)('in the %s theme, for %s visions', (...view) => {
  it('text has a contrast of 4.5:1 on every background', () => expect(below(TEXT, 4.5, view)).toEqual([]))
  it('outlines and units have a contrast of 3:1', () => expect(below(OUTLINES, 3, view)).toEqual([]))
})

test('every role is a pair of colours that the file defines', () => {
  const named = [...css.matchAll(/^ {2}--color-[a-z-]+: var\(--([a-z-]+)\);/gm)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((name) => !roles.has(name))).toEqual([])
})

test('animations respect the reduced-motion setting', () => {
  expect(css).toMatch(/@media \(prefers-reduced-motion: reduce\)/)
})

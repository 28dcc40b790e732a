import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue'
import type { BadgeContent } from './ui/Badge'
import { SHAPES } from './ui/Glyph'
import { TONES } from './ui/tone'

// No state is shown by colour alone; checked for every table of states in the catalogue.

describe('the badges of states', () => {
  const isBadge = (value: unknown): value is BadgeContent => {
    const { shape, tone, label } = (value ?? {}) as Partial<Record<keyof BadgeContent, string>>
    return typeof label === 'string' && SHAPES.some((each) => each === shape) && TONES.some((each) => each === tone)
  }
  const tables: [name: string, badges: readonly BadgeContent[]][] = []
  const visit = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const entries = Object.entries(value)
    if (entries.length > 1 && entries.every(([, each]) => isBadge(each))) tables.push([name, Object.values(value)])
    else for (const [key, each] of entries) visit(`${name}.${key}`, each)
  }
  visit('words', CATALOGUE)

  it('come from more than five tables', () => expect(tables.length).toBeGreaterThan(5))
  it.each(tables)('%s: no two states share a label', (_, badges) => {
    expect(new Set(badges.map(({ label }) => label)).size).toBe(badges.length)
  })
  it.each(tables)('%s: states of different colours have different shapes', (_, badges) => {
    const same = badges.flatMap((one) =>
      badges.filter((other) => other.shape === one.shape && other.tone !== one.tone).map(({ label }) => label),
    )
    expect(same).toEqual([])
  })
})

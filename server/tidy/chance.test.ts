import { expect, test } from 'vitest'
import { readSource } from './source'

const RUN = 'fc.assert(fc.property(fc.nat(), (n) => { if (n > 9) seen++; all.add(n) })'
const body = (text: string) => `test('a', () => {\nlet seen = 0; const all = new Set()\n${text}\n})`

test.each<[text: string, lines: number[]]>([
  [`${RUN})\nexpect(seen).toBeGreaterThan(0)`, [4]],
  [`${RUN}, { numRuns: 99 })\nexpect(all.size).toBe(10)`, [4]],
  [`${RUN}, { numRuns: 99 })\nfor (const each of [1]) expect(all).toContain(each)`, [4]],
  [`${RUN}, sizes)\nconst some = [...all]\nexpect(some).toHaveLength(3)`, [5]],
  [`const law = fc.property(fc.nat(), () => void seen++)\nfc.assert(law)\nexpect(seen).toBe(100)`, [5]],
  [`const drawn = fc.sample(fc.nat(), 9)\nexpect(drawn.length).toBe(9)`, [4]],
  [`const drawn = fc.sample(fc.nat(), { numRuns: 9, seed: 7 })\nexpect(drawn.length).toBe(9)`, []],
  [`${RUN}, { examples: [[10]] })\nexpect(seen).toBeGreaterThan(0)`, []],
  [`${RUN}, { seed: 7 })\nexpect(seen).toBeGreaterThan(0)`, []],
  [`${RUN})\nexpect(all.size).toBeLessThan(100)`, []],
  [`${RUN})\nexpect(seen).toBe(0)`, []],
  [`${RUN})\nexpect([...all]).toEqual([])`, []],
  [`${RUN})\nexpect(all).not.toContain(-1)`, []],
  [`fc.assert(fc.property(fc.nat(), (n) => { let own = 0; own++; expect(own).toBe(1) }))`, []],
])('%s leaves lines %j to chance', (text, lines) => {
  expect(readSource('server/a.test.ts', body(text)).chances).toEqual(lines)
})

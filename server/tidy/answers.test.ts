import fs from 'node:fs'
import { expect, test } from 'vitest'
import { ANSWERS, answersText } from './answers'
import { BANNED_PHRASES } from './law'
import type { JsonSchema } from './schemas'

const committed = fs.readFileSync(ANSWERS, 'utf8')

test('answers.json matches the router', () => {
  const isCurrent = committed === answersText()
  expect(
    isCurrent,
    'What REST answers has changed: run `npm run answers` and commit server/api/rest/answers.json.',
  ).toBe(true)
})

test('every description of a response uses the words of Nova, Placement, libvirt and vSphere', () => {
  const descriptions = descriptionsIn(JSON.parse(committed))
  expect(descriptions.length).toBeGreaterThan(100)
  const banned = descriptions.flatMap((text) =>
    BANNED_PHRASES.filter(({ match }) => match.test(text)).map(({ use }) => `“${text}”: use ${use}`),
  )
  expect([...new Set(banned)]).toEqual([])
})

function descriptionsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { description } = value as JsonSchema
  return [...(typeof description === 'string' ? [description] : []), ...Object.values(value).flatMap(descriptionsIn)]
}

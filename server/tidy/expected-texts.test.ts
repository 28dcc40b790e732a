import { expect, test } from 'vitest'
import { expectedTexts, HOLE, textProducer, writtenTexts } from './expected-texts'
import { everySource, readText } from './house'

/** Rigs of a real OpenStack and of real libvirt hosts, which few machines can run. */
const RIGS = /^e2e\/(openstack|libvirt)\//
const WRITES = /^(app|components|forms|lists|server)\//
const IS_TEST = /\.(test|spec|contract|rig)\.tsx?$|\/testing\/|^server\/tidy\//

const written = everySource
  .filter(({ path }) => WRITES.test(path) && !IS_TEST.test(path))
  .flatMap(({ path }) => writtenTexts(path, readText(path)))
const canProduce = textProducer(written)

test('each text that a rig expects is one that the code can produce', () => {
  const expected = everySource
    .filter(({ path }) => RIGS.test(path))
    .flatMap(({ path }) => expectedTexts(path, readText(path)).map((text) => ({ ...text, path })))
  expect(expected.length).toBeGreaterThan(50)
  const reworded = expected.filter(({ name }) => !canProduce(name))
  expect(reworded.map(({ path, line, name }) => `${path}:${line} “${name}” is a text of no source`)).toEqual([])
})

test('a text of a rig that was reworded in the code is found', () => {
  // The first two broke a rig unnoticed.
  for (const text of [
    'what is used is not written over',
    'The live-migration ended in error, and the swap of its allocations was not taken back',
    'Migration 7 failed, and Nova kept the CPUs that it had claimed',
    'verified: the machine reports that it is off',
    'Wrong user name, domain or password.',
  ])
    expect([text, canProduce(text)]).toEqual([text, false])
})

const TEMPLATES = [
  'ended in {}, and its allocations were not swapped back',
  'The {} {}.',
  'live-migration',
  'No instance is left on ',
  'verified',
  '{}: {}',
  'the machine says that it is off',
]
const produced = textProducer(TEMPLATES.map((text) => text.replaceAll('{}', HOLE)))

test.each([
  ['The live-migration ended in error, and its allocations were not swapped back', true],
  ['The live-migration ended in error, and its allocations were swapped back', false],
  ['No instance is left on cmp3.', true],
  ['No guest is on cmp3.', false],
  ['verified: the machine says that it is off', true],
  ['verified: the machine says it is off', false],
])('%s can be produced: %s', (text, can) => {
  expect(produced(text)).toBe(can)
})

test('texts are read from queries, assertions, tables and the constants that these name', () => {
  const rig = [
    "const HELD = 'Held by an ended migration'",
    "page.getByRole('button', { name: 'Start what ran here' })",
    'rows.filter({ hasText: /^Migration \\d+ ended in (error|failed)/ })',
    ['await expect(row).toContainText(`as reported by $', '{host} at noon`)'].join(''),
    'const state = { title: HELD, cause: /^nova-compute on cmp4 has not started/ }',
    "test('Nova is left alone', () => {})",
    "await expect(row).toContainText('two words')",
  ].join('\n')
  expect(expectedTexts('a.ts', rig).map(({ name }) => name)).toEqual([
    'Start what ran here',
    'Migration 0 ended in error',
    'Migration 0 ended in failed',
    'as reported by 0 at noon',
    'nova-compute on cmp4 has not started',
    'Held by an ended migration',
  ])
})

test('texts are written as strings, templates and in JSX', () => {
  const template = ['const c = `two $', '{b}`'].join('')
  const code = ["import a from 'a'", "const b = 'one'", template, '<p>three {c}</p>'].join(';\n')
  expect(writtenTexts('a.tsx', code)).toEqual(['one', `two ${HOLE}`, 'three '])
})

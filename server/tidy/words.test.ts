import { expect, test } from 'vitest'
import { sources } from './house'
import { BANNED_PHRASES, SPEAKING_ROOMS } from './law'
import { shownTexts } from './words'

const spoken = sources
  .filter(({ path }) => SPEAKING_ROOMS.some((room) => path.startsWith(`${room}/`)))
  .flatMap((source) => shownTexts(source).map((text) => ({ ...text, path: source.path })))

test('the law of words reads the catalogue, the lists, the API and the engine', () => {
  for (const room of SPEAKING_ROOMS)
    expect(spoken.filter(({ path }) => path.startsWith(`${room}/`)).length, room).toBeGreaterThan(5)
})

test('every text uses the words of Nova, Placement, libvirt and vSphere', () => {
  const banned = spoken.flatMap(({ path, line, name }) =>
    BANNED_PHRASES.filter(({ match }) => match.test(name)).map(({ use }) => `${path}:${line} “${name}”: use ${use}`),
  )
  expect(banned).toEqual([])
})

test.each([
  ['Waits for a person', true],
  ['A move of this guest', true],
  ['A live move', true],
  ['The host moves its instances', false],
  ['State it is down', true],
  ['Mark as down', false],
  ['Plan heal', true],
  ['see the heal page', false],
  ['guest cell 0', true],
  ['guest NUMA node 0', false],
])('%s contains a banned phrase: %s', (text, isBanned) => {
  expect(BANNED_PHRASES.some(({ match }) => match.test(text))).toBe(isBanned)
})

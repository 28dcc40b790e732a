import { expect, it } from 'vitest'
import { actorText } from './actors'

it.each([
  ['conductor node-7 4711 1f2e3d4c', 'conductor on node-7'],
  ['olga', 'olga'],
  ['host rule', 'host rule'],
  ['conductor test', 'conductor test'],
])('actorText shows an author by a name that operators know: %s', (who, text) => {
  expect(actorText(who)).toBe(text)
})

import { expect, it } from 'vitest'
import { addressOf, viewQuery } from './query'

it.each([
  ['what belongs to the list, in one order', 'cols=a,b&q=web&sort=-name', 'q=web&sort=-name&cols=a%2Cb'],
  ['nothing of a drawer that is open', 'q=web&move=i-1&operation=resize&build=yes', 'q=web'],
  ['which list it is, of several on a page', 'q=a&tab=plans&by=provider', 'tab=plans&by=provider&q=a'],
  ['nothing where nothing is chosen', 'q=&sort=', ''],
])('a view keeps %s', (_, address, query) => expect(viewQuery(new URLSearchParams(address))).toBe(query))

it('a saved view links back to where it was saved', () => {
  expect(addressOf({ path: '/hosts', query: 'q=web' })).toBe('/hosts?q=web')
  expect(addressOf({ path: '/hosts', query: '' })).toBe('/hosts')
})

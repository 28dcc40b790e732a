import { expect, it } from 'vitest'
import { addressOf, viewQuery } from './query'

it.each([
  ['filter, order and columns, in a fixed sequence', 'cols=a,b&q=web&sort=-name', 'q=web&sort=-name&cols=a%2Cb'],
  ['no state of an open drawer', 'q=web&move=i-1&operation=resize&build=yes', 'q=web'],
  ['which of several lists on a page it belongs to', 'q=a&tab=plans&by=provider', 'tab=plans&by=provider&q=a'],
  ['no empty parameters', 'q=&sort=', ''],
])('a view keeps %s', (_, address, query) => expect(viewQuery(new URLSearchParams(address))).toBe(query))

it('a saved view links back to where it was saved', () => {
  expect(addressOf({ path: '/hosts', query: 'q=web' })).toBe('/hosts?q=web')
  expect(addressOf({ path: '/hosts', query: '' })).toBe('/hosts')
})

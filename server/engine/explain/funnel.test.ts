import { expect, test } from 'vitest'
import { explain } from '../claim'
import type { Host } from '../host'
import { smallHost } from '../testing/hosts'
import { demandFor, pinned, withInstance } from '../testing/instances'
import { funnelOf } from './funnel'

const question = {
  demand: demandFor(pinned(4), { zone: 'north' }),
  ...{ instance: null, group: null, live: null, excludedHost: null },
}
const north = { zone: 'north' }
const reasonsOf = (hosts: readonly Host[]) =>
  explain(question, hosts).map(({ verdict }) => ({
    reasons: verdict.ok ? [] : verdict.refusals.map(({ kind }) => kind),
  }))

test('each host is excluded by its first rule, and the numbers add up', () => {
  const full = [1, 2, 3, 4].reduce((host, n) => withInstance(host, n, pinned(4)), smallHost({ n: 1, frame: north }))
  const hosts = [
    full,
    smallHost({ n: 2, frame: { zone: 'south', scheduling: 'disabled' } }),
    smallHost({ n: 3, frame: { zone: 'south' } }),
    smallHost({ n: 4, frame: north }),
  ]
  const funnel = funnelOf(reasonsOf(hosts))
  expect(funnel.map(({ rule, asked, refused, left, alone }) => [rule, asked, refused, left, alone])).toEqual([
    ['host-disabled', 4, 1, 3, 0],
    ['zone', 3, 1, 2, 1],
    ['amount', 2, 1, 1, 0],
  ])
  expect(funnel.map(({ part }) => part)).toEqual(['host', 'place', 'amounts'])
})

test('a host without a fix is counted under what it lacks for good, and alone only if it lacks nothing else', () => {
  const funnel = funnelOf([
    { reasons: ['host-disabled', 'vgpus'], lasting: ['vgpus'] },
    { reasons: ['vgpus'], lasting: ['vgpus'] },
    { reasons: ['host-disabled', 'amount'] },
    { reasons: [] },
  ])
  expect(funnel.map(({ rule, asked, refused, left, alone }) => [rule, asked, refused, left, alone])).toEqual([
    ['host-disabled', 4, 1, 3, 0],
    ['vgpus', 3, 2, 1, 1],
  ])
})

test('the funnel is empty when every host fits', () => {
  expect(funnelOf(reasonsOf([smallHost({ frame: north })]))).toEqual([])
})

import { expect, it } from 'vitest'
import type { RefusalView } from '@/server/api/refusal/view'
import { amountsText, placeText } from './words'

const refusal = (over: Partial<RefusalView>): RefusalView => ({
  kind: 'dedicated-cpus',
  where: {},
  need: 8,
  free: 5,
  have: null,
  shortBy: 3,
  unit: 'CPUs',
  heldBy: [],
  heldByMore: 0,
  ...over,
})

it.each([
  [refusal({}), 'need 8 CPUs, free 5 CPUs, short by 3 CPUs'],
  [refusal({ need: 4096, free: 1024, shortBy: 3072, unit: 'MiB' }), 'need 4 GiB, free 1 GiB, short by 3 GiB'],
  [refusal({ need: 'up', have: 'down', free: null, shortBy: null, unit: null }), 'need up, have down'],
  [
    refusal({ kind: 'host-not-up', need: 'a host that is up', have: 'fenced', free: null, shortBy: null, unit: null }),
    'the host is fenced',
  ],
  [
    refusal({ kind: 'amount-shape', need: 'at most 80', have: '500', free: null, shortBy: null, unit: null }),
    'requested 500, allowed at most 80',
  ],
])('amountsText says what is needed, free and short: %#', (view, text) => expect(amountsText(view)).toBe(text))

it('a refusal names its location with only the fields that apply', () => {
  expect(placeText({ hostCell: 1, guestCell: 0, pageKib: 1_048_576 })).toBe(
    'NUMA node 1, guest NUMA node 0, 1 GiB pages',
  )
  expect(placeText({})).toBe('')
})

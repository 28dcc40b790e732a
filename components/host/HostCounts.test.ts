import { expect, it } from 'vitest'
import { HOST_QUICK_FILTERS, type HostQuickFilter } from '@/lists/host'
import { quickFilterIn, withQuickFilter } from './HostCounts'

const QUICK_FILTERS = Object.keys(HOST_QUICK_FILTERS) as HostQuickFilter[]

it.each(QUICK_FILTERS)('%s replaces any other quick filter with one click, and the next click removes it', (quick) => {
  const typed = 'zone:az-1 std'
  const on = withQuickFilter(typed, quick)
  expect(on.startsWith(`${typed} `)).toBe(true)
  expect(quickFilterIn(on)).toBe(quick)
  for (const other of QUICK_FILTERS) expect(quickFilterIn(withQuickFilter(on, other))).toBe(other)
  expect(withQuickFilter(on, null)).toBe(typed)
})

it('a typed filter counts as a quick filter only when it says the same', () => {
  expect(quickFilterIn('')).toBeNull()
  expect(quickFilterIn('scheduling:disabled,enabled')).toBeNull()
  expect(quickFilterIn('scheduling:disabled zone:a')).toBe('disabled')
})

import { act, cleanup, renderHook } from '@testing-library/react'
import { withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { DatabaseList } from '@/lists/list'
import { useList } from './list'

const LIST = {
  columns: {
    name: { head: 'Name', sort: true },
    zone: { head: 'Zone', sort: true },
    memory: { head: 'Memory', sort: true },
    seen: { head: 'Last seen' },
  },
  filters: {
    host: { hint: 'name', aliases: ['name'] },
    status: { hint: 'status', values: ['up', 'down'] },
  },
} as const satisfies DatabaseList

/** A list at an address, and the address afterwards. */
function listAt(searchParams: string) {
  const seen = { address: searchParams }
  const wrapper = withNuqsTestingAdapter({
    searchParams,
    hasMemory: true,
    onUrlUpdate: ({ queryString }) => {
      seen.address = decodeURIComponent(queryString)
    },
  })
  const { result } = renderHook(() => useList(LIST), { wrapper })
  return { list: () => result.current, seen }
}

afterEach(cleanup)

describe('a list with its state in the address', () => {
  it('sends no filter and no order when the address has none', () => {
    expect(listAt('').list().input).toEqual({ where: undefined, order: undefined })
  })
  it('applies the filter with its free text and drops unknown keys', () => {
    const { list } = listAt('?q=name:h-*+-status:up+web+colour:red')
    expect(list().input.where).toEqual([
      { key: 'host', any: ['h-*'], not: false },
      { key: 'status', any: ['up'], not: true },
      { key: 'text', any: ['web'], not: false },
    ])
  })
  it('sorts by several columns and drops unknown ones', () => {
    expect(listAt('?sort=zone,-memory').list().input.order).toEqual([
      { by: 'zone', dir: 'asc' },
      { by: 'memory', dir: 'desc' },
    ])
    expect(listAt('?sort=colour').list().input.order).toBeUndefined()
  })
  it('writes the chosen order, columns and filter to the address', async () => {
    const { list, seen } = listAt('')
    await act(async () =>
      list().table.onSorts([
        { by: 'zone', dir: 'asc' },
        { by: 'memory', dir: 'desc' },
      ]),
    )
    await act(async () => list().table.onVisibleColumns(['name', 'zone']))
    await act(async () => list().filter.onChange('status:down'))
    await expect.poll(() => seen.address).toMatch(/sort=zone,-memory/)
    await expect.poll(() => seen.address).toMatch(/cols=name,zone/)
    await expect.poll(() => seen.address).toMatch(/q=status:down/)
    expect(list().table.visibleColumns).toEqual(['name', 'zone'])
    await act(async () => list().table.onVisibleColumns(null))
    await expect.poll(() => seen.address).not.toMatch(/cols/)
  })
})

import { cleanup, render, screen } from '@testing-library/react'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { afterEach, expect, it } from 'vitest'
import type { TreeProviderView } from '@/server/api/provider/router'
import { inventoryRows, TreeInventory } from './TreeInventory'

afterEach(cleanup)

const provider = (name: string, classes: readonly string[], { depth = 1, traits = [] as readonly string[] } = {}) =>
  ({
    ...{ id: `id of ${name}`, name, depth, generation: 3, traits, aggregates: [] },
    inventories: classes.map((resourceClass) => ({
      ...{ resourceClass, total: 8, reserved: 1, capacity: 14, held: 4, ratio: 2 },
    })),
  }) satisfies TreeProviderView
const PROVIDERS = [
  provider('h1', ['DISK_GB'], { depth: 0, traits: ['HW_CPU_X86_AVX2', 'A', 'B', 'C'] }),
  provider('h1_NUMA0', ['MEMORY_MB', 'PCPU']),
  provider('h1_empty', []),
]
const show = (query = '') =>
  render(
    <NuqsTestingAdapter searchParams={query}>
      <TreeInventory providers={PROVIDERS} />
    </NuqsTestingAdapter>,
  )
const rows = () => screen.getAllByRole('row').slice(1)

it('the first row of a provider names it, and a provider without inventory has a row too', () => {
  expect(inventoryRows(PROVIDERS).map(({ provider: { name }, isFirst }) => [name, isFirst])).toEqual([
    ['h1', true],
    ['h1_NUMA0', true],
    ['h1_NUMA0', false],
    ['h1_empty', true],
  ])
})

it('traits are chips that link to providers with the same trait, and a counter covers the rest', () => {
  show()
  const chip = screen.getByRole('link', { name: 'HW_CPU_X86_AVX2' })
  expect(chip.getAttribute('href')).toBe('/providers?q=trait%3AHW_CPU_X86_AVX2')
  expect(screen.getByText('and 1 more')).toBeTruthy()
})

it('a filter matches class and trait, and each row still names its provider', () => {
  show('?q=class:PCPU')
  expect(rows()).toHaveLength(1)
  expect(rows()[0]?.textContent).toContain('h1_NUMA0')
  expect(screen.getByText('h1_NUMA0').className).not.toContain('sr-only')
  cleanup()
  show('?q=trait:HW_*')
  expect(rows().map(({ textContent }) => textContent?.includes('h1'))).toEqual([true])
})

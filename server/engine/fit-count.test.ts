import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide } from './claim'
import type { Demand } from './demand'
import { countFits } from './fit-count'
import { withHolding } from './holdings'
import type { Host } from './host'
import { smallHost } from './testing/hosts'
import { demandFor, flavor, holdingOf, pinned } from './testing/instances'

const anonymousQuestion = { instance: null, group: null, live: null, excludedHost: null }

/** Builds instances one by one until the host refuses. */
function builds(host: Host, demand: Demand): number {
  let now = host
  for (let n = 0; ; n++) {
    const verdict = decide({ demand, host: now, ...anonymousQuestion })
    if (!verdict.ok) return n
    now = withHolding(now, holdingOf(n + 1, verdict.plan))
  }
}

const demands = fc
  .record({
    vcpus: fc.integer({ min: 1, max: 6 }),
    memoryMib: fc.constantFrom(256, 512, 3000),
    spec: fc.constantFrom<Record<string, string>>({}, { 'hw:numa_nodes': '1' }, { 'pci_passthrough:alias': 'vf:1' }),
    dedicated: fc.boolean(),
  })
  .map(({ vcpus, memoryMib, spec, dedicated }) =>
    demandFor(dedicated ? pinned(vcpus, spec, { memoryMib }) : flavor(vcpus, spec, { memoryMib })),
  )
const hosts = fc
  .record({
    shared: fc.constantFrom(0, 2, 4),
    vfs: fc.constantFrom(0, 2),
    layout: fc.constantFrom('flat' as const, 'nested' as const),
  })
  .map((small) => smallHost(small))

test('the count equals the number of builds until the host refuses', () => {
  fc.assert(
    fc.property(hosts, demands, (host, demand) => {
      const { fits } = countFits({ demand, hosts: [host], budget: 10_000 })
      expect(fits.get(host.id)).toEqual({ more: builds(host, demand), exact: true })
    }),
    { numRuns: 200 },
  )
})

test('at its budget the count is a lower bound, and later hosts are not called full', () => {
  const two = [smallHost({ n: 1 }), smallHost({ n: 2 })]
  const { fits, decisions } = countFits({ demand: demandFor(pinned(1)), hosts: two, budget: 5 })
  expect(decisions).toBe(5)
  expect([...fits.values()]).toEqual([
    { more: 5, exact: false },
    { more: 0, exact: false },
  ])
})

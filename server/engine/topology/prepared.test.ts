import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutHolding } from '../holdings'
import type { Host } from '../host'
import { claimId, smallHost } from '../testing/hosts'
import { demandFor, pinned, verdictOn, withInstance } from '../testing/instances'
import { type PreparedHost, prepareHost } from './prepared'

const FLAVORS = [
  pinned(1),
  pinned(3),
  pinned(1, { 'pci_passthrough:alias': 'vf:1' }),
  pinned(2, { 'hw:numa_nodes': '2' }),
]

test('a host prepared incrementally equals one prepared from scratch', () => {
  const act = fc.record({ take: fc.boolean(), flavor: fc.integer({ min: 0, max: FLAVORS.length - 1 }) })
  const law = fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
    let host: Host = smallHost({ cells: 3, cores: 3, vfs: 2 })
    let prepared: PreparedHost | null = null
    acts.forEach(({ take, flavor }, n) => {
      const wanted = FLAVORS[flavor]!
      if (take && verdictOn(host, demandFor(wanted)).ok) host = withInstance(host, n, wanted)
      else host = withoutHolding(host, host.holdings[0]?.claim ?? claimId(n))
      prepared = prepareHost(host.numaNodes, host.devices, prepared)
      expect(prepared).toEqual(prepareHost(host.numaNodes, host.devices))
    })
  })
  fc.assert(law, { numRuns: 60 })
})

test('a host of another shape reuses nothing', () => {
  const [small, large] = [smallHost({ cells: 1, vfs: 1 }), smallHost({ cells: 4, vfs: 1 })]
  const before = prepareHost(small.numaNodes, small.devices)
  expect(prepareHost(large.numaNodes, large.devices, before)).toEqual(prepareHost(large.numaNodes, large.devices))
  const back = prepareHost(large.numaNodes, large.devices)
  expect(prepareHost(small.numaNodes, small.devices, back)).toEqual(prepareHost(small.numaNodes, small.devices))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide } from '../claim'
import type { Host } from '../host'
import { smallHost } from '../testing/hosts'
import { demandFor, pinned, withInstance } from '../testing/instances'
import { PCPU } from '../words/units'
import { type Axis, largestOf } from './largest'

const question = { instance: null, group: null, live: null, excludedHost: null }

/** Odd numbers on pairs of threads never fit, so there are gaps between the sizes that fit. */
const pairs: Axis = {
  from: 1,
  to: 20,
  step: 1,
  demandAt: (vcpus) => demandFor(pinned(vcpus, { 'hw:cpu_thread_policy': 'require' }, { memoryMib: 512 })),
  by: PCPU,
}

const fleets = fc
  .array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }), { minLength: 1, maxLength: 4 })
  .map((instances) =>
    instances.map((sizes, n) =>
      sizes.reduce(
        (host: Host, vcpus, at) => {
          const demand = demandFor(pinned(vcpus))
          return decide({ ...question, demand, host }).ok ? withInstance(host, n * 10 + at, pinned(vcpus)) : host
        },
        smallHost({ n: n + 1 }),
      ),
    ),
  )

function byTryingAll(hosts: readonly Host[]): number | null {
  for (let size = pairs.to; size >= pairs.from; size--) {
    const demand = pairs.demandAt(size)
    if (demand && hosts.some((host) => decide({ ...question, demand, host }).ok)) return size
  }
  return null
}

test('the largest shape equals that of an exhaustive search', () => {
  fc.assert(
    fc.property(fleets, (hosts) => {
      const { found, exact } = largestOf(pairs, { question, hosts, budget: 10_000 })
      expect(exact).toBe(true)
      expect(found?.size ?? null).toBe(byTryingAll(hosts))
    }),
    { numRuns: 150 },
  )
})

test('a result within too small a budget still fits and is not called exact', () => {
  const hosts = Array.from({ length: 6 }, (_, n) => withInstance(smallHost({ n: n + 1 }), n, pinned(5)))
  const { found, exact } = largestOf(pairs, { question, hosts, budget: 12 })
  expect(exact).toBe(false)
  if (found) expect(decide({ ...question, demand: found.demand, host: found.host }).ok).toBe(true)
})

test('hosts that refuse large shapes do not use up the budget before a small one is found', () => {
  const hosts = Array.from({ length: 30 }, (_, n) => withInstance(smallHost({ n: n + 1 }), n, pinned(5)))
  const { found, exact } = largestOf(pairs, { question, hosts, budget: 25 })
  expect(exact).toBe(false)
  expect(found?.size).toBeGreaterThanOrEqual(2)
})

test('no shape fits where no host is enabled', () => {
  const hosts = [smallHost({ frame: { scheduling: 'disabled' } })]
  expect(largestOf(pairs, { question, hosts, budget: 1000 })).toEqual({ found: null, exact: true })
})

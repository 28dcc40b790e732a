import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, type Question } from '../claim'
import type { Flavor } from '../demand'
import { withHolding } from '../holdings'
import type { Host } from '../host'
import { instanceId, migrationId, smallHost } from '../testing/hosts'
import { demandFor, flavor, holdingOf, pinned, planOn, withInstance } from '../testing/instances'
import { type Fix, type FixStep, nearestFix } from './nearest-fix'

const ask = (host: Host, of: Flavor, options = {}): Question => ({
  demand: demandFor(of, options),
  host,
  ...{ instance: null, group: null, live: null, excludedHost: null },
})

const fixOf = (host: Host, of: Flavor, options = {}) => nearestFix(ask(host, of, options))

const actions = (fix: Fix | null) => fix && (fix.is === 'found' ? fix.steps.map(wordOf) : fix.because)
const wordOf = (step: FixStep) => {
  if ('holding' in step) return `${step.do} ${Number(step.holding.instance.slice(-3))}`
  return 'name' in step ? `${step.do} ${step.name}` : step.do
}

test('the fix for a disabled host removes no instance', () => {
  const host = smallHost({ frame: { scheduling: 'disabled' } })
  expect(actions(fixOf(host, pinned(4)))).toEqual(['enable'])
})

test('the fix combines the changes for several rules', () => {
  const host = smallHost({ frame: { scheduling: 'quarantined', status: 'fenced' }, leftovers: [instanceId(9)] })
  const options = { memberOf: [['ssd', 'nvme']], notMemberOf: [] }
  expect(actions(fixOf(host, pinned(4), options))).toEqual(['mark-up', 'clean', 'add-aggregate ssd'])
})

test('a host that is lost, too small, or in another zone has no fix', () => {
  expect(actions(fixOf(smallHost({ frame: { status: 'lost' } }), pinned(2)))).toBe('host-not-up')
  expect(actions(fixOf(smallHost(), pinned(64)))).toBe('amount-shape')
  expect(actions(fixOf(smallHost(), pinned(2), { zone: 'north' }))).toBe('zone')
})

test('a missing hardware trait has no fix, but a custom trait can be added', () => {
  const trait = (name: string) => flavor(1, { ...pinned(1).extraSpecs, [`trait:${name}`]: 'required' })
  expect(actions(fixOf(smallHost(), trait('HW_CPU_X86_AVX2')))).toBe('trait-missing')
  expect(actions(fixOf(smallHost(), trait('CUSTOM_GOLD')))).toEqual(['add-trait CUSTOM_GOLD'])
})

test('the fix removes the smallest sufficient instance', () => {
  // Two NUMA nodes of 8 CPUs: 4 + 3 held on one, 6 on the other, so no node has 4 free.
  const host = withInstance(withInstance(withInstance(smallHost(), 1, pinned(4)), 2, pinned(6)), 3, pinned(3))
  const fix = fixOf(host, pinned(4))
  expect(actions(fix)).toEqual(['move-away 3'])
})

test('none of several instances that leave could stay', () => {
  const host = [1, 2, 3, 4].reduce((at, n) => withInstance(at, n, pinned(4)), smallHost())
  const fix = fixOf(host, pinned(8))
  expect(fix?.is === 'found' && fix.steps).toHaveLength(2)
})

test('the fix prefers to end a migration, whose claim is temporary', () => {
  const host = withInstance(smallHost(), 1, pinned(8))
  const plan = planOn(host, demandFor(pinned(8)))
  const leaving = holdingOf(2, plan, { consumer: migrationId(2), consumerKind: 'migration' })
  expect(actions(fixOf(withHolding(host, leaving), pinned(8)))).toEqual(['end-move 2'])
})

const shapes = fc.record({
  vcpus: fc.integer({ min: 1, max: 10 }),
  cells: fc.constantFrom('1', '2'),
  dedicated: fc.boolean(),
})
const shaped = ({ vcpus, cells, dedicated }: { vcpus: number; cells: string; dedicated: boolean }): Flavor => {
  const specs = { 'hw:numa_nodes': vcpus % Number(cells) === 0 ? cells : '1' }
  return dedicated ? pinned(vcpus, specs) : flavor(vcpus, specs)
}

test('every fix is proven: the changed host fits, and with one step less it does not', () => {
  const hosts = fc
    .record({
      instances: fc.array(shapes, { maxLength: 8 }),
      shared: fc.constantFrom(0, 2, 4),
    })
    .map(({ instances, shared }) =>
      instances.reduce((host, instance, n) => {
        const verdict = decide(ask(host, shaped(instance)))
        return verdict.ok ? withHolding(host, holdingOf(n + 1, verdict.plan)) : host
      }, smallHost({ shared })),
    )
    .chain((host) => fc.constantFrom<Host>(host, { ...host, scheduling: 'disabled' }))
  let found = 0
  fc.assert(
    fc.property(hosts, shapes, (host, shape) => {
      const question = ask(host, shaped(shape))
      const fix = nearestFix(question)
      expect(fix === null).toBe(decide(question).ok)
      if (fix?.is !== 'found') return
      found++
      expect(decide({ ...question, host: fix.host }).ok).toBe(true)
      const leaving = fix.steps.flatMap((step) => ('holding' in step ? [step.holding] : []))
      for (const stays of leaving) {
        expect(decide({ ...question, host: withHolding(fix.host, stays) }).ok).toBe(false)
      }
    }),
    { numRuns: 300, examples: fc.sample(fc.tuple(hosts, shapes), { numRuns: 150, seed: 7 }) },
  )
  expect(found).toBeGreaterThan(30)
})

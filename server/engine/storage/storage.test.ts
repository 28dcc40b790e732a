import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyOf, withClaim, withExchange, withHolding } from '../holdings'
import type { Host } from '../host'
import { questionOf } from '../migration/question'
import { OPERATIONS } from '../migration/state'
import { claimId, inventory, migrationId, providerId, smallHost } from '../testing/hosts'
import { demandFor, flavor, holdingOf, planOn, verdictOn } from '../testing/instances'
import { DISK_GB } from '../words/units'
import { recordedDisk, STORAGE_MODES, type StorageMode } from './storage'

const share = (n: number) => ({
  id: providerId(9000 + n),
  name: `storage${n}`,
  parent: null,
  generation: 1,
  inventories: [inventory(DISK_GB, 1000)],
  traits: ['MISC_SHARES_VIA_AGGREGATE'],
  aggregates: [`pool${n}`],
  sharing: true,
})

/** A host with its own storage (0) or with a shared one. */
const hostOn = (n: number, storage: number): Host =>
  storage === 0
    ? smallHost({ n, shared: 2, diskGib: 100 })
    : smallHost({ n, shared: 2, diskGib: 0, aggregates: [`pool${storage}`], sharing: [share(storage)] })

const cases = fc.record({
  source: fc.integer({ min: 0, max: 2 }),
  target: fc.integer({ min: 0, max: 2 }),
  disk: fc.integer({ min: 0, max: 20 }),
  operation: fc.constantFrom(...OPERATIONS),
})
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never

function laid({ source, target, disk, operation }: Case) {
  const demand = demandFor(flavor(1, {}, { diskGib: disk }))
  const empty = hostOn(1, source)
  const instance = holdingOf(1, planOn(empty, demand))
  const from = withHolding(empty, instance)
  const to = hostOn(2, target)
  const verdict = (storage: StorageMode | null) => {
    const result = questionOf({
      operation,
      instance: { id: instance.instance },
      source: from,
      demand,
      group: null,
      storage,
    })
    if (!result.ok) throw new Error(result.refusal.kind)
    return verdictOn(to, demand, { ...result.question, excludedHost: null })
  }
  return { from, to, instance, verdict, shares: disk === 0 || (source !== 0 && source === target) }
}

test('exactly one of shared and block fits, auto chooses it, and only block claims disk at the target', () => {
  fc.assert(
    fc.property(cases, (each) => {
      const { verdict, shares, to } = laid({ ...each, operation: 'live-migrate' })
      const [auto, shared, block] = STORAGE_MODES.map(verdict)
      expect([shared!.ok, block!.ok]).toEqual([shares, !shares])
      expect(auto).toEqual(shares ? shared : block)
      if (!auto!.ok) throw new Error('auto must fit')
      const plan = auto!.plan
      expect(plan.storage).toBe(shares ? 'shared' : 'block')
      expect(plan.amounts.some(({ resourceClass }) => resourceClass === DISK_GB)).toBe(!shares)
      expect(bodyOf(plan).amounts.filter(({ resourceClass }) => resourceClass === DISK_GB)).toHaveLength(
        each.disk === 0 ? 0 : 1,
      )
      const refused = [shared!, block!].find(({ ok }) => !ok)!
      if (refused.ok) throw new Error('one must refuse')
      expect(refused.refusals.map(({ kind }) => kind)).toEqual([shares ? 'storage-shared' : 'storage-not-shared'])
      expect(to.providers.some(({ sharing }) => sharing)).toBe(each.target !== 0)
    }),
  )
})

test('an exchange and its inverse keep shared disk and its usage unchanged in every operation', () => {
  fc.assert(
    fc.property(cases, (each) => {
      const { from, to, instance, verdict } = laid(each)
      const answer = verdict(null)
      if (!answer.ok) throw new Error('there is room')
      const { plan } = answer
      const [id, migration] = [instance.instance, migrationId(1)]
      const exchange = { instance: id, migration, keptAmounts: plan.keptAmounts }
      const usage = (host: Host) =>
        host.providers.filter(({ sharing }) => sharing).map(({ inventories }) => inventories.map(({ used }) => used))
      const source = withExchange(from, exchange)
      const taken = withClaim(to, { ...instance, claim: claimId(2) }, plan)
      const kept = each.disk > 0 && each.source !== 0 && each.source === each.target
      expect(plan.keptAmounts.length).toBe(kept ? 1 : 0)
      expect(usage(source)).toEqual(usage(from))
      if (kept) expect(usage(taken)).toEqual(usage(to))
      const onShared = source.holdings
        .flatMap(({ body }) => body.amounts)
        .some(({ provider }) => provider === share(1).id)
      if (kept) expect(onShared).toBe(false)
      expect(
        withExchange(source, exchange).holdings.map(({ consumer, body }) => [consumer, [...body.amounts].sort(byText)]),
      ).toEqual(from.holdings.map(({ consumer, body }) => [consumer, [...body.amounts].sort(byText)]))
    }),
  )
})

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

test('an allocation that does not match the flavor is refused in shared mode, not doubled', () => {
  const { from, to, instance } = laid({ source: 1, target: 1, disk: 5, operation: 'live-migrate' })
  const demand = demandFor(flavor(1, {}, { diskGib: 6 }))
  const result = questionOf({
    operation: 'live-migrate',
    instance: { id: instance.instance },
    source: from,
    demand,
    group: null,
  })
  const verdict = result.ok ? verdictOn(to, demand, result.question) : null
  expect(verdict).toMatchObject({ ok: false, refusals: [{ kind: 'storage-not-shared', have: 'one of 5 GB' }] })
})

test('a disk is recorded as shared, as local, or not at all, and as nothing once the instance holds nothing there', () => {
  const recorded = (storage: number, disk: number) => {
    const { from, instance } = laid({ source: storage, target: 0, disk, operation: 'evacuate' })
    return recordedDisk(from, instance.instance)
  }
  expect([recorded(1, 10), recorded(0, 10), recorded(0, 0), recorded(1, 0)]).toEqual([
    'shared',
    'local',
    'none',
    'none',
  ])
  expect(
    recordedDisk(hostOn(1, 0), laid({ source: 0, target: 0, disk: 1, operation: 'evacuate' }).instance.instance),
  ).toBe(null)
})

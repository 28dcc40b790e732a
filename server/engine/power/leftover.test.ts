import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Instance } from '../change'
import { claimId, hostId, instanceId, migrationId, smallHost } from '../testing/hosts'
import { demandFor, holdingOf, IMAGE, instanceOf, pinned, planOn } from '../testing/instances'
import { adoptLeftover, type Leftover, removalRefusals, requestRemoval } from './leftover'
import { isOff, POWER_STATES } from './state'

// A removal never deletes the last copy; an adoption claims what the domain has, or is refused.

const HOST = smallHost({ n: 1 })
const row = (set: Partial<Instance>): Instance =>
  instanceOf(1, pinned(2), { name: 'web', host: hostId(2), generation: 3, ...set })
const power = fc.constantFrom(...POWER_STATES).map((state) => ({ state, reason: null }))
const shown = fc.option(
  fc.record({ power, current: fc.boolean() }).map(({ power: { state }, current }) => ({
    ...{ host: hostId(2), state, reason: null, last: state, since: 1, observedAt: 2, current, ranBefore: true },
  })),
)
const anyRow = fc.option(
  fc
    .record({
      at: fc.constantFrom(hostId(1), hostId(2), null),
      vmState: fc.constantFrom('active', 'stopped', 'shelved'),
      shown,
    })
    .map(({ at, vmState, shown: seen }) =>
      row({ host: vmState === 'shelved' ? null : at, vmState: vmState as Instance['vmState'], power: seen }),
    ),
)
const leftover: fc.Arbitrary<Leftover> = fc.record({
  host: fc.constantFrom(HOST, { ...HOST, status: 'down' as const }, { ...HOST, leftovers: [instanceId(1)] }),
  instance: fc.constant(instanceId(1)),
  observed: fc.option(power.map((each) => ({ power: each, body: null }))),
  row: anyRow,
  activeMigration: fc.option(fc.constant(migrationId(1))),
  deleted: fc.boolean(),
})

describe('removing a leftover domain', () => {
  test('is allowed only if another copy is proven, its image is stored, or it was deleted', () => {
    fc.assert(
      fc.property(leftover, (at) => {
        if (removalRefusals(at).length > 0) return
        expect(at.host.status).toBe('up')
        expect(at.activeMigration).toBeNull()
        if (at.row === null) {
          expect(at.deleted).toBe(true)
          return
        }
        expect(at.row.host).not.toBe(at.host.id)
        if (at.row.vmState === 'shelved') return
        expect(at.row.power?.current).toBe(true)
        expect(at.row.power?.state).not.toBe('unknown')
        if (!isOff(at.observed!.power.state)) expect(isOff(at.row.power!.state)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is guarded by the generations of the record and of the host', () => {
    const at: Leftover = {
      host: HOST,
      instance: instanceId(1),
      observed: null,
      row: row({}),
      activeMigration: null,
      deleted: false,
    }
    const { guards } = requestRemoval(at, { actor: { who: 'ada', request: null, reason: 'stale' }, at: 1 })
    expect(guards.instance).toEqual({ id: instanceId(1), generation: 3 })
    expect(guards.providers).toEqual([{ provider: HOST.providers[0]!.id, generation: HOST.providers[0]!.generation }])
  })
})

describe('adopting an unknown domain', () => {
  const body = holdingOf(1, planOn(HOST, demandFor(pinned(2)))).body
  const adoption = { name: 'db', project: 'p', flavor: pinned(2), image: IMAGE, claim: claimId(7) }
  const demand = demandFor(adoption.flavor)
  const at = (set: Partial<Leftover>): Leftover => ({
    ...{ host: HOST, instance: instanceId(1), row: null, activeMigration: null, deleted: false },
    observed: { power: { state: 'running', reason: null }, body },
    ...set,
  })
  const attribution = { actor: { who: 'ada', request: null, reason: null }, at: 1 }

  test('claims exactly the CPUs on which it runs', () => {
    const adopted = adoptLeftover(at({}), { ...adoption, demand }, attribution)
    const take = adopted.ok ? adopted.change.writes.find((write) => write.do === 'take') : null
    expect(take?.do === 'take' && take.plan.cells.map((node) => node.pins)).toEqual(body.cells.map((node) => node.pins))
  })

  test('is refused if another claim holds them, or if the flavor does not match', () => {
    const other = planOn(HOST, demandFor(pinned(2)))
    const taken = smallHost({ n: 1 }, [holdingOf(2, other)])
    expect(adoptLeftover(at({ host: taken }), { ...adoption, demand }, attribution).ok).toBe(false)
    const large = { ...adoption, flavor: pinned(4), demand: demandFor(pinned(4)) }
    expect(adoptLeftover(at({}), large, attribution).ok).toBe(false)
  })

  test('that is off records the instance as stopped', () => {
    const off = at({ observed: { power: { state: 'shutdown', reason: 'destroyed' }, body } })
    const adopted = adoptLeftover(off, { ...adoption, demand }, attribution)
    expect(adopted.ok && adopted.change.writes[0]).toMatchObject({
      do: 'insert-instance',
      instance: { vmState: 'stopped' },
    })
  })
})

import { describe, expect, test } from 'vitest'
import { audit, type Snapshot } from '../audit'
import { healFor } from '../heal/plan'
import { foreignStray, foreignSwap } from '../testing/foreign'
import { instanceId, smallHost } from '../testing/hosts'
import { auditDemand, instanceOf, pinned } from '../testing/instances'
import { witnessOf } from './evidence'

// Berth repairs nothing that another client owns. It names the owner where that concerns a host of Berth.

const shelved = instanceOf(1, pinned(2), { vmState: 'shelved' })
const fleet: Snapshot = { hosts: [smallHost()], instances: [shelved], migrations: [] }
const found = (set: Partial<Snapshot>) => audit({ ...fleet, ...set }, auditDemand)
const OPTIONS = { demandFor: auditDemand, newClaimId: () => expect.unreachable(), decide: () => expect.unreachable() }

describe('an allocation of another client', () => {
  test('is accepted on its own trees, with a type that is no instance, and where the setting allows it', () => {
    expect(found({ strayAllocations: [foreignStray({ type: 'k8s' })] })).toEqual([])
    expect(found({ strayAllocations: [foreignStray({ host: null })] })).toEqual([])
    expect(found({ foreignAllowed: true, strayAllocations: [foreignStray()] })).toEqual([])
  })

  test.each(['INSTANCE', 'MIGRATION', 'unknown'])(
    'of type %s on a host of Berth is a finding that names its owner',
    (type) => {
      const [finding, ...more] = found({ strayAllocations: [foreignStray({ type })] })
      expect(more).toEqual([])
      expect(finding).toMatchObject({ kind: 'foreign-allocation', owner: { name: 'nova' } })
      expect(finding?.found).toBe('2 PCPU, written by API token nova at 1970-01-01 02:46:40 UTC in request req-7')
    },
  )

  test('under the id of an instance of Berth is a finding on any provider', () => {
    const strayAllocations = [foreignStray({ consumer: instanceId(1), host: null, type: 'k8s' })]
    const [finding] = found({ foreignAllowed: true, strayAllocations })
    expect(finding).toMatchObject({ kind: 'foreign-allocation', instance: instanceId(1) })
  })

  test('is changed by no repair, whatever the finding', () => {
    const strayAllocations = [foreignStray({ consumer: instanceId(1) })]
    const snapshot = { ...fleet, strayAllocations }
    const [finding] = audit(snapshot, auditDemand)
    for (const kind of ['foreign-allocation', 'stray-allocation', 'instance-claim-wrong'] as const) {
      expect(healFor({ ...finding!, kind }, snapshot, OPTIONS)).toMatchObject({ ok: false })
    }
  })
})

const HOUR_MS = 3600_000
const NOTHING = { heldByInstance: [] }

describe('a migration of another client', () => {
  test.each([
    ['may last a day while both sides are held', {}, 24 * HOUR_MS, 0],
    ['is a finding when it lasts longer', {}, 24 * HOUR_MS + 1, 1],
    ['may be without a target for half an hour', NOTHING, HOUR_MS / 2, 0],
    ['is a finding when the instance has no claim for longer', NOTHING, HOUR_MS / 2 + 1, 1],
    ['is no finding before its start time', NOTHING, -HOUR_MS, 0],
  ])('%s', (_, set, now, many) => {
    expect(found({ now, swaps: [foreignSwap(set)] })).toHaveLength(many)
  })

  test('that does not end shows both halves, their owner, and that no hypervisor was surveyed', () => {
    const snapshot = { ...fleet, now: 25 * HOUR_MS, swaps: [foreignSwap()] }
    const [finding] = audit(snapshot, auditDemand)
    expect(finding).toMatchObject({
      kind: 'allocations-swapped',
      where: { provider: 'cmp-1' },
      owner: { name: 'nova' },
    })
    const { migration, instance } = foreignSwap()
    expect(finding?.found).toBe(`migration ${migration} holds 2 VCPU of cmp-1, instance ${instance} 2 VCPU of cmp-2`)
    expect(witnessOf(snapshot)(finding!).map(({ source, at }) => [source, at])).toEqual([
      ['records', 0],
      ['allocations', 25 * HOUR_MS],
      ['allocations', 25 * HOUR_MS],
      ['hypervisor', null],
    ])
    expect(healFor(finding!, snapshot, OPTIONS)).toMatchObject({ ok: false })
  })
})

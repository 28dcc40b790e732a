import { expect, test } from 'vitest'
import { withHolding } from '../engine/holdings'
import { demandFor, holdingOf, pinned, planOn } from '../engine/testing/guests'
import { instanceId, smallHost } from '../engine/testing/hosts'
import { devicesOf, UNNAMED, withHolders } from './device-list'
import { namesFrom } from './views/names'

test('what a move holds that nobody knows any more goes by the name of its instance', () => {
  const host = smallHost({ vfs: 2 })
  const plan = planOn(host, demandFor(pinned(1, { 'pci_passthrough:alias': 'vf:1' })))
  const lost = { consumerKind: 'migration', consumer: '00000000-0000-4000-8000-00000000dead' } as const
  const leaking = withHolding(host, { ...holdingOf(1, plan), ...lost, instance: instanceId(1) } as never)
  const names = namesFrom({ hosts: new Map(), instances: new Map([[instanceId(1), 'api-07']]), migrations: new Map() })
  const held = withHolders(devicesOf(leaking, UNNAMED), names).flatMap(({ holder }) => holder ?? [])
  expect(held).toEqual([{ kind: 'migration', id: lost.consumer, name: 'api-07' }])
  expect(devicesOf(leaking, names).flatMap(({ holder }) => holder ?? [])).toEqual(held)
})

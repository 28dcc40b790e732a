import { expect, test } from 'vitest'
import { withHolding } from '../../engine/holdings'
import { instanceId, smallHost } from '../../engine/testing/hosts'
import { demandFor, holdingOf, pinned, planOn } from '../../engine/testing/instances'
import { namesFrom } from '../names/names'
import { devicesInOrder, devicesOf, sortDevices, withHolders } from './list'

test('a unit held by an unknown migration shows the name of its instance', () => {
  const host = smallHost({ vfs: 2 })
  const plan = planOn(host, demandFor(pinned(1, { 'pci_passthrough:alias': 'vf:1' })))
  const lost = { consumerKind: 'migration', consumer: '00000000-0000-4000-8000-00000000dead' } as const
  const leaking = withHolding(host, { ...holdingOf(1, plan), ...lost, instance: instanceId(1) } as never)
  const names = namesFrom({ hosts: new Map(), instances: new Map([[instanceId(1), 'api-07']]), migrations: new Map() })
  const held = withHolders(devicesInOrder([leaking]), names).flatMap(({ holder }) => holder ?? [])
  expect(held).toEqual([{ kind: 'migration', id: lost.consumer, name: 'api-07' }])
  expect(devicesOf(leaking, names).flatMap(({ holder }) => holder ?? [])).toEqual(held)
})

test('devices are in natural order of host and unit, and every sort is stable on top of that', () => {
  const hosts = [smallHost({ n: 10, vfs: 11 }), smallHost({ n: 2, vfs: 11 })]
  const rows = devicesInOrder(hosts)
  const places = (sorted: typeof rows) => sorted.map(({ host, unit }) => `${host.name} ${unit}`)
  const asPeopleCount = new Intl.Collator('en', { numeric: true })
  expect(rows.length).toBe(hosts.flatMap((host) => host.devices).length)
  expect(places(rows)).toEqual(places(rows).toSorted(asPeopleCount.compare))
  const upward = sortDevices(rows, { order: [{ by: 'host', dir: 'asc' }] })
  expect(places(upward)).toEqual(places(rows))
  const downward = sortDevices(rows, { order: [{ by: 'host', dir: 'desc' }] })
  const [first, second] = [rows[0]!.host.id, rows.at(-1)!.host.id]
  expect(first).not.toBe(second)
  const of = (id: string) => rows.filter(({ host }) => host.id === id)
  expect(places(downward)).toEqual(places([...of(second), ...of(first)]))
  const byRole = sortDevices(rows, {
    order: [
      { by: 'label', dir: 'asc' },
      { by: 'host', dir: 'asc' },
    ],
  })
  const labels = [...new Set(byRole.map(({ label }) => label))]
  expect(places(byRole)).toEqual(places(labels.flatMap((label) => rows.filter((row) => row.label === label))))
})

import { expect, it } from 'vitest'
import type { Mark } from '@/server/api/claim/view'
import type { HostMapView, MapHolder } from '@/server/api/host/map'
import { instancesIn, instancesOnMap } from './instances'
import { unitsOnMap } from './places'

const holder = (name: string, mark: Mark): MapHolder => ({
  claim: `${name} ${mark}`,
  holder: { kind: mark === 'outgoing' ? 'migration' : 'instance', id: `${name} ${mark}`, name },
  instance: { id: name, name },
  migration: null,
  mark,
})
const cpu = (id: number, ...holders: number[]) => ({
  id,
  pool: 'dedicated' as const,
  holders: holders.map((at) => ({ holder: at, use: 'pin' as const, vcpu: 0 })),
})

const view: HostMapView = {
  host: { id: 'h', name: 'h-07' },
  seq: '1',
  floatingVcpus: 0,
  holders: [holder('web-10', 'held'), holder('web-2', 'outgoing'), holder('web-2', 'incoming'), holder('idle', 'held')],
  devices: [
    {
      ...{ unit: 'pci:a', kind: 'pci', role: 'vf', name: 'a', label: '', state: 'held', children: [] },
      holders: [{ holder: 0, use: 'pin' }],
    },
  ],
  cells: [
    {
      ...{
        id: 0,
        socket: 0,
        memoryMib: 4096,
        memoryUsedMib: 3072,
        ordinaryMib: 0,
        ordinaryUsedMib: 0,
        sharedUsed: 0,
        sharedBy: [],
        pages: [],
        devices: [],
      },
      ...{ distances: null, physnets: [] },
      memoryBy: [
        { holder: 0, amount: 1024 },
        { holder: 1, amount: 512 },
        { holder: 2, amount: 1536 },
      ],
      cores: [{ threads: [cpu(0, 0), cpu(1, 1)] }, { threads: [cpu(2, 2), cpu(3, 2)] }],
    },
  ],
}

it('each instance is listed once, by name, with everything that it holds here', () => {
  const instances = instancesOnMap(view, unitsOnMap(view))
  expect(instances.map(({ instance, ...rest }) => ({ name: instance.name, ...rest }))).toEqual([
    { name: 'idle', marks: ['held'], cpus: 0, memoryMib: 0, devices: 0 },
    { name: 'web-2', marks: ['outgoing', 'incoming'], cpus: 3, memoryMib: 2048, devices: 0 },
    { name: 'web-10', marks: ['held'], cpus: 1, memoryMib: 1024, devices: 1 },
  ])
})

it('a bar names each holder of its amounts once', () => {
  expect(instancesIn(view.cells[0]!.memoryBy, view.holders)).toBe('web-10 web-2')
})

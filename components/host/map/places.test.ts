import { describe, expect, it } from 'vitest'
import type { Mark } from '@/server/api/claim/view'
import type { MapDevice } from '@/server/api/device/view'
import type { HostMapView, MapCpu, MapHolder } from '@/server/api/host/map'
import { countStates, twoHoldings, unitsOnMap } from './places'

const holder = (name: string, mark: Mark, kind: 'instance' | 'migration' = 'instance'): MapHolder => ({
  claim: `${name} ${mark}`,
  holder: { kind, id: name, name },
  instance: { id: name, name },
  migration: null,
  mark,
})

const cpu = (id: number, ...holders: number[]): MapCpu => ({
  id,
  pool: 'dedicated',
  holders: holders.map((at) => ({ holder: at, use: 'pin', vcpu: 0 })),
})

const vf = (name: string, over: Partial<MapDevice>): MapDevice => ({
  unit: `pci:${name}`,
  kind: 'pci',
  role: 'vf',
  name,
  label: '',
  state: 'free',
  holders: [],
  children: [],
  ...over,
})

const view = (over: { cores?: MapCpu[][]; holders?: MapHolder[]; devices?: MapDevice[] }): HostMapView => ({
  host: { id: 'h', name: 'h-07' },
  seq: '1',
  floatingVcpus: 0,
  holders: over.holders ?? [],
  devices: [],
  cells: [
    {
      id: 0,
      socket: 0,
      memoryMib: 1024,
      memoryUsedMib: 0,
      ordinaryMib: 0,
      ordinaryUsedMib: 0,
      memoryBy: [],
      cores: (over.cores ?? []).map((threads) => ({ threads })),
      sharedUsed: 0,
      sharedBy: [],
      pages: [],
      devices: over.devices ?? [],
      distances: null,
      physnets: [],
    },
  ],
})

const stateOf = (map: HostMapView, unit: string) => unitsOnMap(map).get(unit)?.state

describe('units of a host', () => {
  it('show for each thread how it is held', () => {
    const holders = [holder('a', 'held'), holder('b', 'incoming'), holder('c', 'outgoing', 'migration')]
    const map = view({
      holders,
      cores: [
        [cpu(0, 0), cpu(4)],
        [cpu(1, 1), cpu(5, 2)],
      ],
    })
    expect([0, 4, 1, 5].map((id) => stateOf(map, `cpu:${id}`))).toEqual(['held', 'free', 'incoming', 'outgoing'])
    expect(unitsOnMap(map).get('cpu:0')?.siblings).toEqual([4])
  })

  it('always show that two claims hold one CPU', () => {
    const map = view({ holders: [holder('a', 'held'), holder('b', 'incoming')], cores: [[cpu(0, 0, 1)]] })
    expect(stateOf(map, 'cpu:0')).toBe('double')
  })

  it('leave out a card that is only a group, and keep its parts', () => {
    const card = vf('0000:3b:00.0', {
      role: 'pf',
      state: 'group',
      children: [vf('0000:3b:02.1', { state: 'blocked' })],
    })
    const places = unitsOnMap(view({ devices: [card] }))
    expect([...places.keys()]).toEqual(['pci:0000:3b:02.1'])
    expect(countStates(places.values()).get('blocked')).toBe(1)
  })

  it('show a VF as taken with its PF, not as held twice', () => {
    const device = vf('0000:3b:02.1', {
      state: 'held',
      holders: [
        { holder: 0, use: 'device' },
        { holder: 0, use: 'with-parent' },
      ],
    })
    expect(stateOf(view({ holders: [holder('a', 'held')], devices: [device] }), device.unit)).toBe('held')
  })

  it('show a same-host migration as two holdings', () => {
    const holders = [holder('a', 'incoming'), holder('a', 'outgoing', 'migration'), holder('b', 'incoming')]
    const map = view({
      holders,
      cores: [
        [cpu(0, 1), cpu(1, 1)],
        [cpu(8, 0), cpu(9, 0)],
      ],
    })
    expect(twoHoldings(map)).toEqual([
      { instance: { id: 'a', name: 'a' }, migration: null, old: 'CPU 0-1', new: 'CPU 8-9' },
    ])
  })
})

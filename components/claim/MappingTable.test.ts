import { describe, expect, it } from 'vitest'
import type { MappingView } from '@/server/api/claim/mapping'
import { mappingLines } from './MappingTable'

const mapping: MappingView = {
  amounts: [{ key: 'MEMORY_MB', old: 4096, new: 8192 }],
  cells: [
    {
      key: '0',
      old: { hostCell: 1, memoryMib: 4096, pageKib: 1024 * 1024 },
      new: { hostCell: 0, memoryMib: 4096, pageKib: null },
    },
  ],
  cpus: [
    { key: '0', old: 12, new: 3 },
    { key: 'emulator 0', old: 13, new: null },
  ],
  devices: [{ key: 'vf-a', old: null, new: { unit: 'pci:0000:3b:02.1', label: 'VF', cell: 0 } }],
}

describe('resource mapping', () => {
  const lines = mappingLines(mapping)
  it('shows NUMA nodes, CPUs, devices and amounts as the instance sees them', () => {
    expect(lines.map(({ group, what, old, new: next }) => [group, what, old, next])).toEqual([
      ['cells', 'guest NUMA node 0', 'NUMA node 1, 4 GiB, 1 GiB pages', 'NUMA node 0, 4 GiB'],
      ['cpus', 'vCPU 0', 'CPU 12', 'CPU 3'],
      ['cpus', 'emulator 0', 'CPU 13', null],
      ['devices', 'vf-a', null, 'pci:0000:3b:02.1'],
      ['amounts', 'MEMORY_MB', '4 GiB', '8 GiB'],
    ])
  })
  it('gives each line a unique key', () => {
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
  })
})

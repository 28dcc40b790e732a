import type { DeviceRow, DeviceState } from '@/server/api/device/list'
import { DEVICE_UNITS } from '@/server/engine/words/units'
import type { MemoryList, SortOf } from './list'

export const DEVICE_STATES = ['free', 'held', 'blocked', 'missing'] as const satisfies DeviceState[]
const ROLES = ['pf', 'vf', 'card', 'gpu', 'vgpu', 'region', 'namespace'] as const satisfies DeviceRow['role'][]

/** A unit may be named with its kind or, as on the screen, without. */
const bare = (unit: string) => [unit, unit.slice(unit.indexOf(':') + 1)]

export const DEVICE_LIST = {
  columns: {
    unit: { head: 'Function', sort: (row) => row.unit },
    label: { head: 'Kind', sort: (row) => row.label },
    host: { head: 'Host', sort: (row) => row.host.name },
    card: { head: 'Card', sort: (row) => row.card ?? row.unit },
    cell: { head: 'NUMA node' },
    state: { head: 'State', sort: (row) => row.state },
    holder: { head: 'Holder', sort: (row) => row.holder?.name ?? '\uffff' },
    use: { head: 'Use' },
  },
  filters: {
    label: { hint: 'kind; pick one in the table of kinds', says: (row) => [row.label] },
    kind: { hint: 'how it is assigned', values: DEVICE_UNITS, says: (row) => [row.kind] },
    role: { hint: 'role on its card, such as vf', values: ROLES, says: (row) => [row.role] },
    state: { hint: 'free, held, blocked or missing', values: DEVICE_STATES, says: (row) => [row.state] },
    host: { hint: 'name of the host; gpu-* for many', says: (row) => [row.host.name] },
    unit: { hint: 'address', aliases: ['function'], says: (row) => bare(row.unit) },
    // The card of a card is the card itself.
    card: { hint: 'address of its card', says: (row) => bare(row.card ?? row.unit) },
    holder: { hint: 'holder', aliases: ['instance'], says: (row) => [row.holder?.name] },
  },
  text: (row) => [row.unit, row.label, row.host.name, row.holder?.name, row.card],
  ids: (row) => [row.host.id, row.holder?.id],
} as const satisfies MemoryList<DeviceRow>

export type DeviceSort = SortOf<typeof DEVICE_LIST>

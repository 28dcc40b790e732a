import type { DeviceState } from '@/server/api/device/list'
import type { StateLook } from '../ui/Badge'
import { plural, utc } from '../ui/format'

export const deviceWords = {
  title: 'Devices',
  facts: 'What is assigned whole: PCI functions, vGPUs and pmem namespaces, with who holds them and who did.',
  kinds: 'Kinds',
  list: 'Functions',
  filter: 'Device, card, host or holder',
  columns: {
    label: 'Kind',
    cards: 'Cards',
    hosts: 'Hosts',
    total: 'Functions',
    held: 'Held',
    free: 'Free',
    blocked: 'Blocked',
    gone: 'Missing',
  },
  roles: {
    pf: 'PF',
    vf: 'VF',
    card: 'card',
    gpu: 'GPU',
    vgpu: 'vGPU',
    region: 'pmem region',
    namespace: 'pmem namespace',
  },
  detail: 'One device',
  pick: 'Pick a function to see its card and who held it before.',
  onMap: 'On the map of its host',
  shown: 'Its hypervisor',
  family: 'Cut from the same card',
  history: 'Holders, the newest first',
  cameBy: 'came by',
  wentBy: 'went by',
  older: (n: number) => `${plural(n, 'older holder')} on the page of devices.`,
  noHistory: 'Nobody has held it since its past is kept.',
  knownSince: (at: number) => `Known since ${utc(at)} UTC.`,
  still: 'now',
  cpu: 'CPU',
  empty: 'No device yet',
  emptyMore: 'Devices come with the hosts that an import brings.',
  emptyFiltered: 'No such device',
  emptyFilteredMore: 'No device of the fleet is what the filter says. Clear it to see every device.',
  back: 'History of this place',
} as const

export const deviceLooks: Readonly<Record<DeviceState, StateLook>> = {
  free: { shape: 'tick', tone: 'ok', label: 'free' },
  held: { shape: 'square', tone: 'idle', label: 'held' },
  blocked: { shape: 'dash', tone: 'warn', label: 'blocked' },
  gone: { shape: 'cross', tone: 'bad', label: 'gone' },
}

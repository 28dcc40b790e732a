import type { DeviceState } from '@/server/api/device/list'
import type { BadgeContent } from '../ui/Badge'
import { plural, utc } from '../ui/format'

const unitNoun = (unit: string | null) => (unit?.startsWith('cpu:') ? 'CPU' : 'Device')

export const deviceWords = {
  title: 'Devices',
  facts: 'PCI functions, vGPUs and PMEM namespaces, with their current and former holders.',
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
    missing: 'Missing',
  },
  roles: {
    pf: 'PF',
    vf: 'VF',
    card: 'card',
    gpu: 'GPU',
    vgpu: 'vGPU',
    region: 'PMEM region',
    namespace: 'PMEM namespace',
  },
  detail: unitNoun,
  historyLink: (unit: string) => `${unitNoun(unit)} history`,
  pick: 'Select a function to see its card and former holders.',
  onMap: 'Show on the host map',
  shown: 'Hypervisor',
  family: 'Functions of the same card',
  history: 'Holders, newest first',
  cameBy: 'claimed by',
  wentBy: 'released by',
  older: (n: number) => `${plural(n, 'older holder')} on the devices page.`,
  noHistory: 'No recorded holder.',
  knownSince: (at: number) => `History starts at ${utc(at)} UTC.`,
  still: 'now',
  empty: 'No device yet',
  emptyMore: 'Devices appear with imported hosts.',
  emptyFiltered: 'No device matches',
  emptyFilteredMore: 'Clear the filter to see every device.',
} as const

export const deviceBadges: Readonly<Record<DeviceState, BadgeContent>> = {
  free: { shape: 'tick', tone: 'ok', label: 'free' },
  held: { shape: 'square', tone: 'idle', label: 'held' },
  blocked: { shape: 'dash', tone: 'warn', label: 'blocked' },
  missing: { shape: 'cross', tone: 'bad', label: 'missing' },
}

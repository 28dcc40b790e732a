import type { DeviceField } from '@/server/api/device/list'
import type { ListKey } from '../console/list/list'
import { deviceLooks, deviceWords } from './words'

const label = deviceWords.filters

/** What devices can be filtered by. */
export const deviceKeys = (labels: readonly string[] | undefined): readonly ListKey<DeviceField>[] => [
  { id: 'label', label: label.label, known: labels },
  { id: 'kind', label: label.kind, values: ['pci', 'vgpu', 'vpmem'] },
  { id: 'role', label: label.role, values: Object.keys(deviceWords.roles) },
  { id: 'state', label: label.state, values: Object.keys(deviceLooks) },
  { id: 'host', label: label.host },
  { id: 'unit', label: label.unit, also: ['function'] },
  { id: 'card', label: label.card },
  { id: 'holder', label: label.holder, also: ['instance'] },
]

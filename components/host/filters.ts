import type { HostField } from '@/server/api/contract'
import type { HostAdmission, HostTruth } from '@/server/engine/host'
import type { ListKey } from '../console/list'
import { admissionLooks, hostWords, truthLooks } from './words'

const label = hostWords.filters
const TRUTHS = Object.keys(truthLooks) as readonly HostTruth[]
const ADMISSIONS = Object.keys(admissionLooks) as readonly HostAdmission[]
const YES_NO = ['yes', 'no'] as const

/** What hosts can be filtered by. */
export function hostKeys(zones: readonly string[] | undefined): readonly ListKey<HostField>[] {
  return [
    { id: 'host', label: label.host, also: ['name'] },
    { id: 'state', label: label.state, values: [...TRUTHS, ...ADMISSIONS] },
    { id: 'truth', label: label.truth, values: TRUTHS },
    { id: 'admission', label: label.admission, values: ADMISSIONS },
    { id: 'zone', label: label.zone, known: zones },
    { id: 'moving', label: label.moving, values: YES_NO },
    { id: 'remains', label: label.remains, values: YES_NO },
    { id: 'layout', label: label.layout, values: ['flat', 'nested'] },
    { id: 'driver', label: label.driver, values: ['simulated', 'libvirt', 'openstack'] },
  ]
}

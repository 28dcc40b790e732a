import type { HostField } from '@/server/api/host/list'
import type { HostContact, HostRow } from '@/server/api/host/view'
import type { HostAdmission, HostTruth } from '@/server/engine/host'
import type { ListKey, WholeList } from '../console/list/list'
import { HOST_SORTS } from './columns'
import { admissionLooks, contactLooks, hostWords, truthLooks } from './words'

const label = hostWords.filters
const TRUTHS = Object.keys(truthLooks) as readonly HostTruth[]
const ADMISSIONS = Object.keys(admissionLooks) as readonly HostAdmission[]
const CONTACT = Object.keys(contactLooks)
const NEVER = 'never-answered' satisfies HostContact
const YES_NO = ['yes', 'no'] as const

/** What hosts can be filtered by. */
export function hostKeys(zones: readonly string[] | undefined): readonly ListKey<HostField>[] {
  return [
    { id: 'host', label: label.host, also: ['name'] },
    { id: 'state', label: label.state, values: [...TRUTHS, ...ADMISSIONS, ...CONTACT] },
    { id: 'truth', label: label.truth, values: [...TRUTHS, NEVER] },
    { id: 'admission', label: label.admission, values: ADMISSIONS },
    { id: 'zone', label: label.zone, known: zones },
    { id: 'moving', label: label.moving, values: YES_NO },
    { id: 'remains', label: label.remains, values: YES_NO },
    { id: 'layout', label: label.layout, values: ['flat', 'nested'] },
    { id: 'driver', label: label.driver, values: ['simulated', 'libvirt', 'openstack'] },
  ]
}

/** Who answered when was not kept, so of the past nobody can ask for it. */
const STATED: Readonly<Record<string, Partial<ListKey<HostField>>>> = {
  state: { label: label.stated, values: [...TRUTHS, ...ADMISSIONS] },
  truth: { values: TRUTHS },
}

const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']

/** The same where all hosts are here already, as they were. */
export const hostList: WholeList<HostRow> = {
  keys: hostKeys(undefined).map((key) => ({ ...key, ...STATED[key.id] })),
  fields: {
    host: (row) => [row.name],
    state: (row) => [row.truth, row.admission],
    truth: (row) => [row.truth],
    admission: (row) => [row.admission],
    zone: (row) => [row.zone],
    moving: (row) => yesNo(row.movesIn + row.movesOut > 0),
    remains: (row) => yesNo(row.remains > 0),
    layout: (row) => [row.layout],
    driver: (row) => [row.driver],
    text: (row) => [row.name, row.id],
  },
  sortColumns: HOST_SORTS,
}

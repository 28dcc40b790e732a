import type { HostRow } from '@/server/api/host/view'
import type { Share } from '@/server/api/plain'
import { HOST_ADMISSIONS, HOST_TRUTHS } from '@/server/engine/host'
import type { ColumnOf, MemoryList, SortOf } from './list'

const SILENT = 'silent' satisfies HostRow['contact']
const NEVER = 'never-answered' satisfies HostRow['contact']
const YES_NO = ['yes', 'no']

/** Nothing but an import says that a host is up which never answered. */
const statusOf = ({ truth, contact }: HostRow): string => (contact === NEVER ? contact : truth)
const share = ({ used, total }: Share) => (total === 0 ? 0 : used / total)
const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']

export const HOST_LIST = {
  columns: {
    name: { head: 'Host', sort: (row) => row.name },
    truth: { head: 'Status', sort: (row) => row.truth },
    admission: { head: 'Scheduling', sort: (row) => row.admission },
    zone: { head: 'Zone', sort: (row) => row.zone ?? '' },
    pcpu: { head: 'Pinned CPUs', short: 'Pinned', sort: (row) => share(row.pinned) },
    vcpu: { head: 'Shared vCPUs', short: 'vCPUs', sort: (row) => share(row.vcpu) },
    memory: { head: 'Memory', sort: (row) => share(row.memoryMib) },
    devices: { head: 'Devices' },
    instances: { head: 'Instances', sort: (row) => row.instances },
    moves: { head: 'Migrations', sort: (row) => row.movesIn + row.movesOut },
    seen: { head: 'Last seen' },
    disk: { head: 'Disk' },
    cells: { head: 'NUMA nodes' },
    layout: { head: 'Layout' },
    driver: { head: 'Driver' },
  },
  filters: {
    host: { hint: 'name of the host; h-0* for many', also: ['name'], says: (row) => [row.name] },
    state: {
      hint: 'status or scheduling, such as down or disabled',
      values: [...HOST_TRUTHS, ...HOST_ADMISSIONS, SILENT, NEVER],
      says: (row) => [statusOf(row), row.admission, row.contact === SILENT ? SILENT : null],
    },
    truth: {
      hint: 'status, such as up or fenced',
      values: [...HOST_TRUTHS, NEVER],
      says: (row) => [statusOf(row)],
    },
    admission: { hint: 'scheduling, such as disabled', values: HOST_ADMISSIONS, says: (row) => [row.admission] },
    zone: { hint: 'availability zone', says: (row) => [row.zone] },
    moving: {
      hint: 'whether it has active migrations',
      values: YES_NO,
      says: (row) => yesNo(row.movesIn + row.movesOut > 0),
    },
    remains: {
      hint: 'whether it has leftovers to clean up',
      values: YES_NO,
      says: (row) => yesNo(row.remains > 0),
    },
    layout: {
      hint: 'provider layout: flat or nested',
      values: ['flat', 'nested'] satisfies HostRow['layout'][],
      says: (row) => [row.layout],
    },
    driver: {
      hint: 'virt driver',
      values: ['simulated', 'libvirt', 'openstack'] satisfies HostRow['driver'][],
      says: (row) => [row.driver],
    },
  },
  text: (row) => [row.name],
  ids: (row) => [row.id],
} as const satisfies MemoryList<HostRow>

export type HostColumn = ColumnOf<typeof HOST_LIST>
export type HostSort = SortOf<typeof HOST_LIST>

/** As it was: when a host last answered was not kept, so of the past nobody can ask for it. */
export const PAST_HOST_FILTERS = {
  state: { label: 'status or scheduling', values: [...HOST_TRUTHS, ...HOST_ADMISSIONS] },
  truth: { values: HOST_TRUTHS },
}

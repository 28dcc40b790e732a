import type { HostRow } from '@/server/api/host/view'
import type { Share } from '@/server/api/plain'
import { HOST_SCHEDULING, HOST_STATUSES, isDead } from '@/server/engine/host'
import { DRIVEN_KINDS } from '@/server/engine/words/driver-kinds'
import type { Condition } from './condition'
import type { ColumnOf, FieldOf, MemoryList, SortOf } from './list'

const SILENT = 'silent' satisfies HostRow['contact']
const NEVER = 'never-answered' satisfies HostRow['contact']
const YES_NO = ['yes', 'no']

/** A host that never answered is up only because an import recorded it so. */
const statusOf = ({ status, contact }: HostRow): string => (contact === NEVER ? contact : status)

/** A dead host has nothing to answer, and of the past it is not known (`kind` is null there as well). */
function answersOf({ status, contact, lastSeenAt, kind }: HostRow): readonly ('yes' | 'no' | 'never')[] {
  if (isDead(status) || kind === null) return []
  if (lastSeenAt === null) return ['never']
  return [contact === 'answering' ? 'yes' : 'no']
}
const share = ({ used, total }: Share) => (total === 0 ? 0 : used / total)
const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']

export const HOST_LIST = {
  columns: {
    name: { head: 'Host', sort: (row) => row.name },
    status: { head: 'Status', sort: (row) => row.status },
    scheduling: { head: 'Scheduling', sort: (row) => row.scheduling },
    zone: { head: 'Zone', sort: (row) => row.zone ?? '' },
    pcpu: { head: 'Pinned CPUs', short: 'Pinned', sort: (row) => share(row.pinned) },
    vcpu: { head: 'Shared vCPUs', short: 'vCPUs', sort: (row) => share(row.vcpu) },
    memory: { head: 'Memory', sort: (row) => share(row.memoryMib) },
    devices: { head: 'Devices' },
    instances: { head: 'Instances', sort: (row) => row.instances },
    migrations: { head: 'Migrations', short: 'Migr.', sort: (row) => row.movesIn + row.movesOut },
    seen: { head: 'Last seen' },
    findings: { head: 'Findings', sort: (row) => row.findings ?? 0 },
    leftovers: { head: 'Leftovers', sort: (row) => row.remains },
    disk: { head: 'Disk' },
    nodes: { head: 'NUMA nodes' },
    layout: { head: 'Layout' },
    driver: { head: 'Driver' },
    kind: { head: 'Kind' },
  },
  filters: {
    host: { hint: 'name of the host; h-0* for many', aliases: ['name'], says: (row) => [row.name] },
    state: {
      hint: 'status or scheduling, such as down or disabled',
      values: [...HOST_STATUSES, ...HOST_SCHEDULING, SILENT, NEVER],
      says: (row) => [statusOf(row), row.scheduling, row.contact === SILENT ? SILENT : null],
    },
    status: {
      hint: 'status, such as up or fenced',
      values: [...HOST_STATUSES, NEVER],
      says: (row) => [statusOf(row)],
    },
    answers: {
      hint: 'whether it answered the last survey',
      values: ['yes', 'no', 'never'],
      says: answersOf,
    },
    scheduling: { hint: 'scheduling, such as disabled', values: HOST_SCHEDULING, says: (row) => [row.scheduling] },
    zone: { hint: 'availability zone', says: (row) => [row.zone] },
    migrating: {
      hint: 'whether it has active migrations',
      values: YES_NO,
      says: (row) => yesNo(row.movesIn + row.movesOut > 0),
    },
    instances: {
      hint: 'whether it has instances',
      values: YES_NO,
      says: (row) => yesNo(row.instances > 0),
    },
    leftovers: {
      hint: 'whether it has leftovers to clean up',
      values: YES_NO,
      says: (row) => yesNo(row.remains > 0),
    },
    findings: {
      hint: 'whether the audit found something about it',
      values: YES_NO,
      says: (row) => (row.findings === null ? [] : yesNo(row.findings > 0)),
    },
    layout: {
      hint: 'provider layout: flat or nested',
      values: ['flat', 'nested'] satisfies HostRow['layout'][],
      says: (row) => [row.layout],
    },
    kind: {
      hint: 'simulated, real, read-only or unconnected',
      values: ['simulated', 'real', 'read-only', 'unconnected'] satisfies HostRow['kind'][],
      says: (row) => [row.kind],
    },
    driver: {
      hint: 'virt driver',
      values: DRIVEN_KINDS,
      says: (row) => [row.driver],
    },
  },
  text: (row) => [row.name],
  ids: (row) => [row.id],
} as const satisfies MemoryList<HostRow>

export type HostColumn = ColumnOf<typeof HOST_LIST>
export type HostSort = SortOf<typeof HOST_LIST>

/** Filters of the past: last contact was not kept, so it cannot be filtered by. */
export const PAST_HOST_FILTERS = {
  state: { label: 'status or scheduling', values: [...HOST_STATUSES, ...HOST_SCHEDULING] },
  status: { values: HOST_STATUSES },
}

/** Most urgent first; a host that is merely disabled was disabled on purpose. */
const PROBLEMS: readonly ((row: HostRow) => boolean)[] = [
  ({ status, contact }) => status === 'down' || contact === SILENT,
  ({ status, instances }) => status !== 'up' && instances > 0,
  ({ scheduling }) => scheduling === 'quarantined',
  ({ contact }) => contact === NEVER,
  ({ remains }) => remains > 0,
  ({ worst }) => worst === 'critical',
  ({ worst }) => worst === 'warning',
  ({ status }) => status !== 'up',
  ({ scheduling }) => scheduling === 'disabled',
]

/** The default order: hosts in trouble first. */
export function problemRank(row: HostRow): number {
  const rank = PROBLEMS.findIndex((test) => test(row))
  return rank < 0 ? PROBLEMS.length : rank
}

/**
 * One-click filters over the list; the API counts by them, the screen inserts them, and the overview counts and links
 * hosts alike. A host can match several.
 */
export const HOST_QUICK_FILTERS = {
  up: [
    { key: 'status', any: ['up'] },
    { key: 'state', any: [SILENT], not: true },
  ],
  silent: [{ key: 'state', any: [SILENT] }],
  neverAnswered: [{ key: 'status', any: [NEVER] }],
  down: [{ key: 'status', any: ['down'] }],
  toEvacuate: [
    { key: 'status', any: ['fenced', 'lost'] },
    { key: 'instances', any: ['yes'] },
  ],
  disabled: [{ key: 'scheduling', any: ['disabled'] }],
  quarantined: [{ key: 'scheduling', any: ['quarantined'] }],
  leftovers: [{ key: 'leftovers', any: ['yes'] }],
  findings: [{ key: 'findings', any: ['yes'] }],
  migrating: [{ key: 'migrating', any: ['yes'] }],
} as const satisfies Readonly<Record<string, readonly Condition<FieldOf<typeof HOST_LIST>>[]>>
export type HostQuickFilter = keyof typeof HOST_QUICK_FILTERS

/** The hosts that an audit could not read, whatever their recorded status. */
export const UNREAD_HOST_FILTERS = {
  silent: [{ key: 'answers', any: ['no'] }],
  neverAnswered: [{ key: 'answers', any: ['never'] }],
} as const satisfies Readonly<Record<string, readonly Condition<FieldOf<typeof HOST_LIST>>[]>>

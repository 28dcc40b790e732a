import type { Host, HostAdmission, HostTruth } from '../../engine/host'
import { type Conditions, orderRows, type RowFields, type RowKeys, whereRows } from '../list/where'
import type { Share } from '../plain'
import type { HostRow } from './view'

// Which hosts, in which order. In memory: the snapshots are there, and a fleet is thousands, not millions.

export const HOST_SORTS = [
  'name',
  'truth',
  'admission',
  'zone',
  'pcpu',
  'vcpu',
  'memory',
  'instances',
  'moves',
] as const
export type HostSort = (typeof HOST_SORTS)[number]

export interface HostFilter {
  readonly q?: string | undefined
  readonly truth?: readonly HostTruth[] | undefined
  readonly admission?: readonly HostAdmission[] | undefined
  readonly zone?: readonly string[] | undefined
  readonly where?: Conditions<HostField>
}

export function filterHosts(hosts: readonly Host[], { q, truth, admission, zone }: HostFilter): readonly Host[] {
  const text = q?.toLowerCase()
  return hosts.filter(
    (host) =>
      (!text || host.name.toLowerCase().includes(text) || host.id === text) &&
      (!truth || truth.includes(host.truth)) &&
      (!admission || admission.includes(host.admission)) &&
      (!zone || (host.zone !== null && zone.includes(host.zone))),
  )
}

export const HOST_FIELDS = [
  'text',
  'host',
  'truth',
  'admission',
  'state',
  'zone',
  'layout',
  'driver',
  'moving',
  'remains',
] as const
export type HostField = (typeof HOST_FIELDS)[number]

/** Nothing but an import says that a host is up which never answered. */
const statusOf = ({ truth, contact }: HostRow): string => (contact === 'never-answered' ? contact : truth)

const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']
const FIELDS: RowFields<HostRow, HostField> = {
  text: (row) => [row.name],
  host: (row) => [row.name],
  truth: (row) => [statusOf(row)],
  admission: (row) => [row.admission],
  state: (row) => [statusOf(row), row.admission, ...(row.contact === 'silent' ? ['silent'] : [])],
  zone: (row) => (row.zone === null ? [] : [row.zone]),
  layout: (row) => [row.layout],
  driver: (row) => [row.driver],
  moving: (row) => yesNo(row.movesIn + row.movesOut > 0),
  remains: (row) => yesNo(row.remains > 0),
}

/** The rows that every condition fits. */
export const whereHosts = (rows: readonly HostRow[], where: HostFilter['where']): readonly HostRow[] =>
  whereRows(rows, where, { fields: FIELDS, ids: (row) => [row.id] })

export interface HostOrder {
  readonly order?: readonly { readonly by: HostSort; readonly dir: 'asc' | 'desc' }[] | undefined
  readonly sort?: HostSort | undefined
  readonly dir?: 'asc' | 'desc' | undefined
}

const share = ({ used, total }: Share) => (total === 0 ? 0 : used / total)
const KEYS: RowKeys<HostRow, HostSort> = {
  name: (row) => row.name,
  truth: (row) => row.truth,
  admission: (row) => row.admission,
  zone: (row) => row.zone ?? '',
  pcpu: (row) => share(row.pinned),
  vcpu: (row) => share(row.vcpu),
  memory: (row) => share(row.memoryMib),
  instances: (row) => row.instances,
  moves: (row) => row.movesIn + row.movesOut,
}

/** Equal rows keep the order of their names. */
export function sortHosts(
  rows: readonly HostRow[],
  { order, sort = 'name', dir = 'asc' }: HostOrder,
): readonly HostRow[] {
  return orderRows(rows, order?.length ? order : [{ by: sort, dir }], { keys: KEYS, last: [(row) => row.name] })
}

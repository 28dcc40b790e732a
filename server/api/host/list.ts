import type { Condition } from '@/lists/condition'
import { HOST_LIST, type HostSort } from '@/lists/host'
import { saidBy } from '@/lists/list'
import { orderRows, whereRows } from '@/lists/rows'
import type { Host, HostAdmission, HostTruth } from '../../engine/host'
import type { HostRow } from './view'

// Which hosts, in which order. In memory: the snapshots are there, and a fleet is thousands, not millions.

export interface HostFilter {
  readonly q?: string | undefined
  readonly truth?: readonly HostTruth[] | undefined
  readonly admission?: readonly HostAdmission[] | undefined
  readonly zone?: readonly string[] | undefined
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

/** The rows that every condition fits. */
export const whereHosts = (rows: readonly HostRow[], where: readonly Condition[] | undefined): readonly HostRow[] =>
  whereRows(rows, where, saidBy(HOST_LIST))

export interface HostOrder {
  readonly order?: readonly { readonly by: HostSort; readonly dir: 'asc' | 'desc' }[] | undefined
  readonly sort?: HostSort | undefined
  readonly dir?: 'asc' | 'desc' | undefined
}

/** Equal rows keep the order of their names. */
export function sortHosts(
  rows: readonly HostRow[],
  { order, sort = 'name', dir = 'asc' }: HostOrder,
): readonly HostRow[] {
  const last = [(row: HostRow) => row.name]
  return orderRows(rows, order?.length ? order : [{ by: sort, dir }], { columns: HOST_LIST.columns, last })
}

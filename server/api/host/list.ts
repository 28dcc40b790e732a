import type { Condition } from '@/lists/condition'
import { HOST_LIST, HOST_QUICK_FILTERS, type HostQuickFilter, type HostSort, problemRank } from '@/lists/host'
import { fieldValuesOf } from '@/lists/list'
import { orderRows, whereRows } from '@/lists/rows'
import type { Host, HostScheduling, HostStatus } from '../../engine/host'
import type { ListOrder } from '../../store/database/condition'
import type { HostRow } from './view'

// Filters and sorts hosts. In memory: the snapshots are there, and a fleet is thousands, not millions.

export interface HostFilter {
  readonly q?: string | undefined
  readonly status?: readonly HostStatus[] | undefined
  readonly scheduling?: readonly HostScheduling[] | undefined
  readonly zone?: readonly string[] | undefined
}

export function filterHosts(hosts: readonly Host[], { q, status, scheduling, zone }: HostFilter): readonly Host[] {
  const text = q?.toLowerCase()
  return hosts.filter(
    (host) =>
      (!text || host.name.toLowerCase().includes(text) || host.id === text) &&
      (!status || status.includes(host.status)) &&
      (!scheduling || scheduling.includes(host.scheduling)) &&
      (!zone || (host.zone !== null && zone.includes(host.zone))),
  )
}

/** Rows that match every condition. */
export const whereHosts = (rows: readonly HostRow[], where: readonly Condition[] | undefined): readonly HostRow[] =>
  whereRows(rows, where, fieldValuesOf(HOST_LIST))

/** By default, hosts in trouble come first; equal rows are ordered by name. */
export function sortHosts(
  rows: readonly HostRow[],
  { order, sort, dir = 'asc' }: ListOrder<HostSort>,
): readonly HostRow[] {
  const asked = order?.length ? order : sort ? [{ by: sort, dir }] : []
  const name = (row: HostRow) => row.name
  const last = asked.length > 0 ? [name] : [(row: HostRow) => String(problemRank(row)), name]
  return orderRows(rows, asked, { columns: HOST_LIST.columns, last })
}

/** How many hosts there are, and how many match each quick filter. */
export interface HostCounts extends Readonly<Record<HostQuickFilter, number>> {
  readonly all: number
}

export function countHosts(rows: readonly HostRow[]): HostCounts {
  const counts = Object.entries(HOST_QUICK_FILTERS).map(([quick, where]) => [quick, whereHosts(rows, where).length])
  return { ...(Object.fromEntries(counts) as Record<HostQuickFilter, number>), all: rows.length }
}

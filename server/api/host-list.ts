import type { Host, HostAdmission, HostTruth } from '../engine/host'
import type { HostRow, HostSort, Share } from './contract'

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
] as const satisfies HostSort[]

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

export interface HostOrder {
  readonly sort?: HostSort | undefined
  readonly dir?: 'asc' | 'desc' | undefined
}

const share = ({ used, total }: Share) => (total === 0 ? 0 : used / total)
const KEYS: { readonly [S in HostSort]: (row: HostRow) => string | number } = {
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

/** Names are compared the way people count: `h-2` before `h-10`. Equal rows keep the order of their names. */
export function sortHosts(rows: readonly HostRow[], { sort = 'name', dir = 'asc' }: HostOrder): readonly HostRow[] {
  const key = KEYS[sort]
  const sign = dir === 'desc' ? -1 : 1
  const keyed = rows.map((row) => ({ row, key: key(row) }))
  keyed.sort((a, b) => sign * compare(a.key, b.key) || BY_NAME.compare(a.row.name, b.row.name))
  return keyed.map(({ row }) => row)
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BY_NAME.compare(String(a), String(b))
}

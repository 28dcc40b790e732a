import type { Host, HostAdmission, HostTruth } from '../engine/host'
import { ID_START } from '../store/condition'
import type { HostField, HostRow, HostSort, ListCondition, Share } from './contract'

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
  readonly where?:
    | readonly (Omit<ListCondition<HostField>, 'not'> & { readonly not?: boolean | undefined })[]
    | undefined
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
] as const satisfies HostField[]

const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']
const FIELDS: { readonly [F in HostField]: (row: HostRow) => readonly string[] } = {
  text: (row) => [row.name],
  host: (row) => [row.name],
  truth: (row) => [row.truth],
  admission: (row) => [row.admission],
  state: (row) => [row.truth, row.admission],
  zone: (row) => (row.zone === null ? [] : [row.zone]),
  layout: (row) => [row.layout],
  driver: (row) => [row.driver],
  moving: (row) => yesNo(row.movesIn + row.movesOut > 0),
  remains: (row) => yesNo(row.remains > 0),
}

/** The rows that every condition fits; the same meaning that `server/store/condition.ts` has in SQL. */
export function whereHosts(rows: readonly HostRow[], where: HostFilter['where'] = []): readonly HostRow[] {
  if (where.length === 0) return rows
  const tests = where.map(({ key, any, not = false }) => {
    const patterns = any.map((text) => pattern(text, key === 'text'))
    const starts = key === 'text' ? any.filter((text) => ID_START.test(text)).map((text) => text.toLowerCase()) : []
    return (row: HostRow) => {
      const named = FIELDS[key](row).some((value) => patterns.some((each) => each.test(value)))
      return (named || starts.some((start) => row.id.startsWith(start))) !== not
    }
  })
  return rows.filter((row) => tests.every((test) => test(row)))
}

function pattern(text: string, anywhere: boolean): RegExp {
  const body = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return anywhere && body.length === 1 ? new RegExp(body.join(''), 'is') : new RegExp(`^${body.join('.*')}$`, 'is')
}

export interface HostOrder {
  readonly order?: readonly { readonly by: HostSort; readonly dir: 'asc' | 'desc' }[] | undefined
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
export function sortHosts(
  rows: readonly HostRow[],
  { order, sort = 'name', dir = 'asc' }: HostOrder,
): readonly HostRow[] {
  const by = (order?.length ? order : [{ by: sort, dir }]).map((each) => ({
    key: KEYS[each.by],
    sign: each.dir === 'desc' ? -1 : 1,
  }))
  const keyed = rows.map((row) => ({ row, keys: by.map(({ key }) => key(row)) }))
  keyed.sort((a, b) => {
    for (const [at, { sign }] of by.entries()) {
      const difference = compare(a.keys[at] ?? '', b.keys[at] ?? '')
      if (difference !== 0) return sign * difference
    }
    return BY_NAME.compare(a.row.name, b.row.name)
  })
  return keyed.map(({ row }) => row)
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BY_NAME.compare(String(a), String(b))
}

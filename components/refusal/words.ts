import type { RefusalView } from '@/server/api/refusal/view'
import type { RefusalKind, RefusalLocation } from '@/server/engine/words/refusal'
import { count, mib, pageSize } from '../ui/format'

/** The rule in two or three words: column heads of the matrix and first words of a refusal. */
export const refusalTitles: Readonly<Record<RefusalKind, string>> = {
  amount: 'not enough',
  'amount-shape': 'amount not allowed',
  'no-inventory': 'no such resource',
  'trait-missing': 'trait missing',
  'trait-forbidden': 'trait forbidden',
  'aggregate-missing': 'not in aggregate',
  'aggregate-forbidden': 'in forbidden aggregate',
  zone: 'other zone',
  'host-not-up': 'host not up',
  'host-disabled': 'host disabled',
  'host-quarantined': 'host quarantined',
  'host-has-remains': 'remains of this guest',
  'unreadable-record': 'unreadable record',
  'host-is-source': 'is the source',
  affinity: 'affinity',
  'anti-affinity': 'anti-affinity',
  'too-few-cells': 'too few cells',
  'dedicated-cpus': 'dedicated CPUs',
  'shared-cpus': 'shared CPUs',
  'sibling-threads': 'sibling threads',
  'whole-cores': 'whole cores',
  'overcommit-cpus': 'CPU overcommit',
  'overcommit-memory': 'memory overcommit',
  memory: 'cell memory',
  'ordinary-memory': 'ordinary memory',
  pages: 'pages',
  'page-size': 'page size',
  'thread-policy': 'thread policy',
  'emulator-threads': 'emulator threads',
  'network-affinity': 'network affinity',
  'no-joint-fit': 'no joint fit',
  'search-exhausted': 'search gave up',
  devices: 'devices',
  'device-affinity': 'device not near',
  'device-off-node': 'device on another NUMA node',
  vgpus: 'vGPUs',
  vpmem: 'pmem namespaces',
  'cpu-model': 'CPU model',
  'page-size-change': 'page size would change',
  'device-not-migratable': 'device cannot move live',
  'storage-not-shared': 'storage not shared',
  'storage-shared': 'storage is shared',
  'already-moving': 'already moving',
  'not-permitted': 'not permitted now',
  'no-slot': 'no slot',
  'no-host': 'no host',
  'changed-meanwhile': 'changed meanwhile',
  'wrong-state': 'wrong state',
  unknown: 'not known',
  'bad-input': 'bad input',
}

export const refusalWords = {
  need: 'need',
  free: 'free',
  have: 'have',
  noSuch: (what: number | string) => `there is no ${what}`,
  shortBy: 'short by',
  heldBy: 'held by',
  huge: (kept: string) => `huge pages keep ${kept}`,
  missing: (short: string, need: string) => `−${short} of ${need}`,
  more: (n: number) => `+${n} more`,
} as const

/** What the API says it has of a thing that is not there. */
const NOTHING = 'nothing'

/** Where on the host: `cell 1, guest cell 0, 1 GiB pages`. */
export function placeText(where: RefusalLocation): string {
  const parts = [
    where.hostCell === undefined ? null : `cell ${where.hostCell}`,
    where.guestCell === undefined ? null : `guest cell ${where.guestCell}`,
    where.pageKib === undefined ? null : `${pageSize(where.pageKib)} pages`,
    where.resourceClass ?? null,
    where.provider ?? null,
    where.requestId ?? null,
    where.unit ?? null,
    where.hugeMib === undefined ? null : refusalWords.huge(mib(where.hugeMib)),
    where.record ?? null,
    where.column === undefined ? null : `column ${where.column}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** A number of a refusal in its unit, or the field's own words. */
export function quantity(value: number | string, unit: RefusalView['unit']): string {
  if (typeof value === 'string') return value
  if (unit === 'MiB') return mib(value)
  return unit ? `${count(value)} ${unit}` : count(value)
}

/** `need 8 CPUs, free 4 CPUs, short by 4 CPUs`, or `need X, have Y`; what is not known at all is not needed. */
export function amountsText({ kind, need, free, have, shortBy, unit }: RefusalView): string {
  if (kind === 'unknown' && have === NOTHING) return refusalWords.noSuch(need)
  const parts = [
    need === '' ? null : `${refusalWords.need} ${quantity(need, unit)}`,
    free === null ? null : `${refusalWords.free} ${quantity(free, unit)}`,
    have ? `${refusalWords.have} ${have}` : null,
    shortBy === null ? null : `${refusalWords.shortBy} ${quantity(shortBy, unit)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

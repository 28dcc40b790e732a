import { MAIN_CLASSES } from '@/lists/classes'
import type { ClaimTotals } from '@/server/api/claim/view'
import { count, gib, mib, plural } from '../../ui/format'
import { uiWords } from '../../ui/words'

// Apart from the other texts of claims: most pages name amounts, few show claims.

/** A claim in one line: `4 pinned CPUs, 8 GiB, 2 devices`. Omits zeros; an empty claim is `nothing`. */
export function claimTotalsText(held: ClaimTotals): string {
  const parts = [
    held.pinnedCpus > 0 ? plural(held.pinnedCpus, 'pinned CPU') : held.vcpus > 0 ? plural(held.vcpus, 'vCPU') : null,
    held.memoryMib > 0 ? mib(held.memoryMib) : null,
    held.diskGib > 0 ? `${gib(held.diskGib)} disk` : null,
    held.devices > 0 ? plural(held.devices, 'device') : null,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

const UNITS: Readonly<Record<string, (n: number) => string>> = { MEMORY_MB: mib, DISK_GB: gib }

/** An amount of a resource class in the class's own unit. */
export const amountText = (resourceClass: string, amount: number) => (UNITS[resourceClass] ?? count)(amount)

interface Amount {
  readonly resourceClass: string
  readonly amount: number
}

/** `VCPU 4, MEMORY_MB 8 GiB`: CPUs and memory first, so that a narrow column shows the main part of a claim. */
export const amountList = (amounts: readonly Amount[]) =>
  mainFirst(amounts)
    .map(({ resourceClass, amount }) => `${resourceClass} ${amountText(resourceClass, amount)}`)
    .join(', ')

export const mainFirst = <Of extends Amount>(amounts: readonly Of[]): readonly Of[] =>
  amounts.toSorted((one, other) => placeOf(one) - placeOf(other))

function placeOf({ resourceClass }: Amount): number {
  const at = (MAIN_CLASSES as readonly string[]).indexOf(resourceClass)
  return at < 0 ? MAIN_CLASSES.length : at
}

/** Used and total of a resource class: `12 / 96`. */
export const shareText = (resourceClass: string, used: number, total: number) =>
  uiWords.share(amountText(resourceClass, used), amountText(resourceClass, total))

/** The largest shape that fits: of one kind on the overview, of one request on the explain page. */
export const largestWords = {
  shape: (vcpus: number, memoryMib: number, devices: number) =>
    [plural(vcpus, 'vCPU'), mib(memoryMib), devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  atLeast: 'at least',
  on: 'on',
  nothingFits: 'none: even the smallest is refused',
  nothingFound: 'none found so far',
} as const

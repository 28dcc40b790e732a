import type { ClaimTotals } from '@/server/api/claim/view'
import type { HealPartView } from '@/server/api/heal/view'

const NOTHING: ClaimTotals = { vcpus: 0, pinnedCpus: 0, memoryMib: 0, diskGib: 0, devices: 0 }

function sumTotals(parts: readonly (ClaimTotals | null)[]): ClaimTotals {
  return parts.reduce<ClaimTotals>(
    (sum, held) => ({
      vcpus: sum.vcpus + (held?.vcpus ?? 0),
      pinnedCpus: sum.pinnedCpus + (held?.pinnedCpus ?? 0),
      memoryMib: sum.memoryMib + (held?.memoryMib ?? 0),
      diskGib: sum.diskGib + (held?.diskGib ?? 0),
      devices: sum.devices + (held?.devices ?? 0),
    }),
    NOTHING,
  )
}

export interface Consequences {
  readonly lines: number
  readonly hosts: number
  readonly givesBack: ClaimTotals
}

/** Summary of the rows that the click would write. */
export function consequencesOf(parts: readonly HealPartView[]): Consequences {
  const lines = parts.flatMap((part) => part.lines)
  return {
    lines: lines.length,
    hosts: new Set(lines.flatMap((line) => line.host?.id ?? [])).size,
    givesBack: sumTotals(parts.map((part) => part.givesBack)),
  }
}

/** Whether a part can be selected: not written yet and not locked. */
export const isOpen = (part: HealPartView) => part.state === 'open' && part.locked === null

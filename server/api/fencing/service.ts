import type { FencingMethodKind } from '../../engine/fencing/fencing'
import type { Host } from '../../engine/host'

// What the API needs of fencing: how a host is fenced is set in a file of the server, and its runner is woken here.

export interface FencingMethodView {
  readonly kind: FencingMethodKind
  /** An address, or the path of a command. */
  readonly where: string
  readonly deadlineMs: number
  /** Whether it also reads the power, and so can verify. */
  readonly verifies: boolean
}

export interface FencingService {
  /** Null: a person has to attest that the host is off. */
  methodOf(host: Pick<Host, 'id' | 'name' | 'driver'>): FencingMethodView | null
  /** Something was requested. */
  wake(): void
}

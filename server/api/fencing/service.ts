import type { FencingMethodKind } from '../../engine/fencing/fencing'
import type { Host } from '../../engine/host'

// The API's interface to fencing. A file of the server configures how each host is fenced; the runner is woken here.

export interface FencingMethodView {
  readonly kind: FencingMethodKind
  /** An address, or the path of a command. */
  readonly where: string
  readonly deadlineMs: number
  /** Whether it also reads the power, and so can verify. */
  readonly verifies: boolean
}

export interface FencingService {
  /** Null: an operator has to attest that the host is off. */
  methodOf(host: Pick<Host, 'id' | 'name' | 'driver'>): FencingMethodView | null
  /** Call after a request. */
  wake(): void
}

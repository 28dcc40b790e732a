import type { FencingMethodKind, PowerReading } from '../engine/fencing/fencing'

// A way to power a host off and to read its power.

export interface FencingMethod {
  readonly kind: FencingMethodKind
  /** Its destination, without secrets: an address, or the path of a command. */
  readonly where: string
  /** A fencing ends after this time at the latest. */
  readonly deadlineMs: number
  /** Null: it can only order power-off, not read the power. */
  readonly readPower: (() => Promise<PowerReading>) | null
  /** Idempotent, and never powers anything on. */
  orderOff(): Promise<OrderAnswer>
}

export interface OrderAnswer {
  /** Null: unknown, because no answer came. */
  readonly accepted: boolean | null
  readonly detail: string
}

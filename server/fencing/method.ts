import type { FencingMethodKind, PowerReading } from '../engine/fencing/fencing'

// One way to power a host off and to ask whether it is.

export interface FencingMethod {
  readonly kind: FencingMethodKind
  /** Where it goes, without a secret: an address, or the name of a command. */
  readonly where: string
  /** After this it is given up. */
  readonly deadlineMs: number
  /** Null: it can order power-off and has no way to read the power. */
  readonly readPower: (() => Promise<PowerReading>) | null
  /** Asked twice, it does no harm: it never powers anything on. */
  orderOff(): Promise<OrderAnswer>
}

export interface OrderAnswer {
  /** Null: nobody knows, for no answer came. */
  readonly accepted: boolean | null
  readonly says: string
}

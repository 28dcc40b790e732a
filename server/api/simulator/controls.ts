import type { HostId } from '../../engine/words/ids'

// The controls of the simulated fleet, and its state.

export interface SimulatorControls {
  fault(fault: SimulatorFault): Promise<void>
  /** The domain that has the device; null: none. */
  attachedTo(host: string, unit: string): Promise<string | null>
  host(id: HostId): Promise<SimulatorHost | null>
  dirtyBytesPerS(instance: string): Promise<number | null>
}

export type DriverOperationKind =
  | 'prepare'
  | 'transfer'
  | 'stopTransfer'
  | 'forceTransfer'
  | 'locate'
  | 'runAt'
  | 'clean'
  | 'build'
  | 'destroy'
  | 'power'

export type SimulatorFault =
  | { readonly do: 'go-silent' | 'return' | 'fence' | 'kill' | 'power-cycle' | 'clear-faults'; readonly host: string }
  | {
      readonly do: 'next-verb'
      readonly host: string
      readonly verb: DriverOperationKind
      readonly then: 'fail' | 'lose-answer' | 'half'
    }
  | { readonly do: 'bandwidth'; readonly host: string; readonly bytesPerS: number }
  | {
      readonly do: 'take-device' | 'put-device-back' | 'detach-device'
      readonly host: string
      /** As on the map: `pci:0000:3b:02.1`. */
      readonly unit: string
    }
  /** It stays attached to its instance, even after that instance has left. */
  | { readonly do: 'keep-attached'; readonly host: string; readonly unit: string }
  | { readonly do: 'crash' | 'shut-down' | 'ignore-button' | 'obey-button'; readonly instance: string }
  | { readonly do: 'dirty-rate'; readonly instance: string; readonly bytesPerS: number }

export interface SimulatorHost {
  /** booting: its power is back and it does not answer yet. */
  readonly power: 'running' | 'silent' | 'booting' | 'fenced' | 'killed'
  readonly bandwidthBytesPerS: number
  readonly planned: readonly { readonly verb: DriverOperationKind; readonly then: string }[]
  /** Devices that were taken away. */
  readonly missing: readonly string[]
  /** Devices that stay attached, with the id of their instance. */
  readonly keptAttached: readonly { readonly unit: string; readonly instance: string }[]
}

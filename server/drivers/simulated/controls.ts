import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type { GuestFault, SimulatedFleet } from './driver'
import { DEFAULT_BYTES_PER_S, type HostFault } from './faults'
import type { DriverOperationKind } from './record'

// The console's fault buttons, translated for the simulated fleet.

type Button =
  | { readonly do: 'go-silent' | 'return' | 'fence' | 'kill' | 'power-cycle' | 'clear-faults'; readonly host: string }
  | {
      readonly do: 'next-verb'
      readonly host: string
      readonly verb: Exclude<DriverOperationKind, 'survey'>
      readonly then: 'fail' | 'lose-answer' | 'half'
    }
  | { readonly do: 'bandwidth'; readonly host: string; readonly bytesPerS: number }
  | {
      readonly do: 'take-device' | 'put-device-back' | 'detach-device'
      readonly host: string
      readonly unit: string
    }
  | { readonly do: 'keep-attached'; readonly host: string; readonly unit: string }
  | { readonly do: GuestFault; readonly instance: string }
  | { readonly do: 'dirty-rate'; readonly instance: string; readonly bytesPerS: number }

interface HostFaultView {
  readonly power: 'running' | 'silent' | 'booting' | 'fenced' | 'killed'
  readonly bandwidthBytesPerS: number
  readonly planned: readonly { readonly verb: Exclude<DriverOperationKind, 'survey'>; readonly then: string }[]
  readonly missing: readonly string[]
  readonly keptAttached: readonly { readonly unit: string; readonly instance: string }[]
}

export interface FaultButtons {
  fault(button: Button): Promise<void>
  host(host: HostId): Promise<HostFaultView>
  /** The instance that the device is attached to; null: none. */
  attachedTo(host: string, unit: string): Promise<string | null>
  dirtyBytesPerS(instance: string): Promise<number | null>
}

export function faultButtons(fleet: SimulatedFleet): FaultButtons {
  return {
    fault: async (button) => {
      if (button.do === 'dirty-rate') return fleet.setDirtyRate(button.instance as InstanceId, button.bytesPerS)
      if ('instance' in button) return fleet.setGuestFault(button.instance as InstanceId, button.do)
      if (button.do !== 'keep-attached') return fleet.setFault(button.host as HostId, faultOf(button))
      const [host, unit] = [button.host as HostId, button.unit as UnitName]
      const instance = await fleet.attachedTo(host, unit)
      if (instance !== null) await fleet.setFault(host, { do: 'keep-attached', unit, instance })
    },
    attachedTo: (host, unit) => fleet.attachedTo(host as HostId, unit as UnitName),
    host: async (host) => {
      const { power, record } = await fleet.status(host)
      return {
        power: power === 'gone' ? 'killed' : power,
        bandwidthBytesPerS: record.bandwidth.at(-1)?.bytesPerS ?? DEFAULT_BYTES_PER_S,
        planned: record.plan.flatMap(({ on, goes }) => (on === 'survey' ? [] : [shownFault(on, goes)])),
        missing: record.missing ?? [],
        keptAttached: record.keptAttached ?? [],
      }
    },
    dirtyBytesPerS: (instance) => fleet.dirtyRate(instance as InstanceId),
  }
}

function faultOf(button: Exclude<Button, { instance: string } | { do: 'keep-attached' }>): HostFault {
  if (button.do === 'bandwidth') return { do: 'bandwidth', bytesPerS: button.bytesPerS }
  if (button.do === 'next-verb') return { do: 'plan', fault: { on: button.verb, nth: 1, goes: button.then } }
  if ('unit' in button) return { do: button.do, unit: button.unit as UnitName }
  return { do: button.do }
}

const shownFault = (verb: Exclude<DriverOperationKind, 'survey'>, goes: string): HostFaultView['planned'][number] => {
  // biome-ignore lint/suspicious/noThenProperty: the screen's word for it, and never a function
  return { verb, then: goes }
}

import type { PlacedCell } from './guest'
import type { Cell } from './host'

/** What is wrong with taking or giving back CPUs. The host is unchanged then. */
export interface UsageError {
  readonly kind: 'cpu-already-pinned' | 'cpu-not-pinnable' | 'cpu-not-pinned' | 'cpu-not-unpinnable'
  readonly hostCell: number
  readonly cpus: readonly number[]
}

export type UsageResult =
  | { readonly ok: true; readonly cells: readonly Cell[] }
  | { readonly ok: false; readonly error: UsageError }

export interface TakenCpu {
  readonly cpu: number
  readonly use: 'pin' | 'emulator' | 'sibling'
}

export function takePlaces(cells: readonly Cell[], _placed: readonly PlacedCell[]): UsageResult {
  return { ok: true, cells }
}

export function giveBackPlaces(cells: readonly Cell[], _placed: readonly PlacedCell[]): UsageResult {
  return { ok: true, cells }
}

/** Every host CPU the placed cells hold: pinned, reserved for the emulator, or kept empty as an isolated sibling. */
export function cpusTaken(_cells: readonly Cell[], _placed: readonly PlacedCell[]): readonly TakenCpu[] {
  return []
}

// Microversions of Nova and Placement: `major.minor`, both whole numbers, so 2.9 is older than 2.53.

export type Microversion = `${number}.${number}`

export interface MicroversionRange {
  readonly min: Microversion
  readonly max: Microversion
}

const parts = (version: string): readonly [number, number] => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return [major, minor]
}

export const isMicroversion = (text: string): text is Microversion => /^\d+\.\d+$/.test(text)

export function isAtLeast(version: string, wanted: string): boolean {
  const [major, minor] = parts(version)
  const [wantedMajor, wantedMinor] = parts(wanted)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/** The highest that the service has, up to `highest`; null when the service starts above it. */
export function negotiate({ min, max }: MicroversionRange, highest: Microversion): Microversion | null {
  const chosen = isAtLeast(max, highest) ? highest : max
  return isAtLeast(chosen, min) ? chosen : null
}

/** The highest that Berth reads. Hypervisors stay below 2.88, whose RPC to every host fails when one just died. */
export const HIGHEST = { compute: '2.93', hypervisors: '2.87', placement: '1.39' } as const
/** Below this, hosts and services have no uuid, and what Berth reads cannot be joined. */
export const LOWEST_NOVA: Microversion = '2.53'

import type { firstStart } from './first-start'

// Parses the demo fleet's environment variables for wiring.ts. Throws for invalid values.

export type Demo = Pick<Parameters<typeof firstStart>[0], 'size'>

/** Null: an empty database stays empty. */
export function demoFrom(text: string | undefined): Demo | null {
  if (text === 'no') return null
  if (!text) return {}
  const [, hosts, instances] = /^(\d+)x(\d+)$/.exec(text) ?? []
  if (!hosts || !instances) throw new Error('BERTH_DEMO must be `no`, or hosts and instances such as 500x20000.')
  return { size: { hosts: Number(hosts), instances: Number(instances) } }
}

export function speedFrom(text: string | undefined): number {
  const speed = Number(text || 1)
  if (!(speed > 0)) throw new Error('SIMULATOR_SPEED must be a number above 0; 1 is as fast as real hosts.')
  return speed
}

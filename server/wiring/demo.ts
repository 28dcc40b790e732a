import { firstStart } from '../import/first-start'
import type { Database } from '../store/database/database'
import { acquireLease, releaseLease } from '../store/migration/lease'

const DEMO_MS = 60_000 // after this, the process that was creating the demo fleet has died

type Doors = Parameters<typeof firstStart>[0]

export interface DemoParts {
  readonly database: Database
  readonly simulator: Doors['simulator'] & { readonly adopt: Doors['adoptInstances'] }
  readonly owner: string
  now(): number
  rules(): Promise<Pick<Doors, 'confirmWindowMs'>>
}

/** Only on an empty database. If several servers start at once, one does it. */
export async function importDemo(parts: DemoParts, size: Pick<Doors, 'size'>): Promise<boolean> {
  const { database, simulator, owner, rules, now } = parts
  const at = now()
  if ((await acquireLease(database, { name: 'demo', owner, ttlMs: DEMO_MS })) === null) return false
  const { confirmWindowMs } = await rules()
  const made = await firstStart({ database, simulator, adoptInstances: simulator.adopt, at, confirmWindowMs, ...size })
  await releaseLease(database, 'demo', owner)
  return made
}

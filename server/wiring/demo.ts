import { type FirstStartServices, firstStart } from '../import/first-start'
import type { Database } from '../store/database/database'
import { acquireLease, releaseLease } from '../store/migration/lease'

const DEMO_MS = 60_000 // after this, the process that was creating the demo fleet has died

export interface DemoParts {
  readonly database: Database
  readonly simulator: FirstStartServices['simulator'] & { readonly adopt: FirstStartServices['adoptInstances'] }
  readonly owner: string
  now(): number
  rules(): Promise<Pick<FirstStartServices, 'confirmWindowMs'>>
}

/** Only on an empty database. If several servers start at once, one does it. */
export async function importDemo(parts: DemoParts, size: Pick<FirstStartServices, 'size'>): Promise<boolean> {
  const { database, simulator, owner, rules, now } = parts
  const at = now()
  if ((await acquireLease(database, { name: 'demo', owner, ttlMs: DEMO_MS })) === null) return false
  const { confirmWindowMs } = await rules()
  const made = await firstStart({ database, simulator, adoptInstances: simulator.adopt, at, confirmWindowMs, ...size })
  await releaseLease(database, 'demo', owner)
  return made
}

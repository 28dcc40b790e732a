import type { RequestedAction } from '../../engine/migration/state'
import type { MigrationId } from '../../engine/words/ids'
import { readSnapshot } from '../../store/audit/records'
import { FLAVORS } from '../hardware'
import type { PostgresFixture } from './fixture'

// Builds and migrates instances continuously while faults hit the servers or the database.

const PAUSE_MS = 30

export const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

/** Accepted requests, to be checked at the end. */
export interface AcceptedRequests {
  readonly migrations: MigrationId[]
  readonly decisions: Map<MigrationId, RequestedAction>
}

export const nothingAccepted = (): AcceptedRequests => ({ migrations: [], decisions: new Map() })

export async function buildInstances({ chance, operators, database }: PostgresFixture, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await operators.build({ flavor: chance.pick(FLAVORS.slice(0, 4)) ?? FLAVORS[0]! })
  while ((await readSnapshot(database)).instances.some(({ vmState }) => vmState === 'building')) await pause()
}

/** False if `most` migrations are active, or if the chosen instance cannot migrate now. */
export async function beginMigration(
  { chance, operators, database }: PostgresFixture,
  { most, accepted }: { readonly most: number; readonly accepted: AcceptedRequests },
): Promise<boolean> {
  const { instances, migrations } = await readSnapshot(database)
  const open = migrations.filter(({ outcome }) => outcome === null)
  for (const { id, step } of open) {
    if (step !== 'verify') continue
    const decision = chance.permille(500) ? 'confirm' : 'revert'
    if (await operators.requestAction(id, decision)) accepted.decisions.set(id, decision)
  }
  const moving = new Set(open.map(({ instance }) => instance))
  const instance = chance.pick(instances.filter(({ id, vmState }) => vmState === 'active' && !moving.has(id)))
  if (!instance || open.length >= most) return false
  const operation = chance.pick(['live-migrate', 'live-migrate', 'cold-migrate', 'resize'] as const) ?? 'live-migrate'
  const newFlavor = operation === 'resize' ? (chance.pick(FLAVORS.slice(0, 4)) ?? null) : null
  const migration = await operators.migrate(instance.id, { operation, target: null, newFlavor, newImage: null })
  if (migration !== null) accepted.migrations.push(migration)
  return migration !== null
}

import { ACTION_REQUESTED } from '../../engine/migration/requested-action'
import { type Migration, REQUESTED_ACTIONS, type StepRecord } from '../../engine/migration/state'
import type { HostId, MigrationId } from '../../engine/words/ids'
import { type RequestRow, readRequests } from '../../store/event/trail-read'
import { type ListedMigration, readSteps } from '../../store/migration/list'
import { namesOf } from '../names/read'
import type { Rights } from '../permit/rights'
import type { ApiServices } from '../services'
import { pacesOf } from './pace'
import { type ActionEvent, type ActionTrail, actionTrail, type MigrationRow, migrationRow } from './view'

/** Rows of many migrations, with the requested actions of the active ones. */
export async function migrationRows(
  services: ApiServices,
  found: readonly ListedMigration[],
  rights: Rights,
): Promise<MigrationRow[]> {
  const { database, fleet } = services
  const open = found.filter(({ migration }) => migration.step !== 'ended').map(({ migration }) => migration.id)
  const [names, asked, steps, paces] = await Promise.all([
    namesOf(
      services,
      found.flatMap(({ migration }) => [migration.instance, migration.id]),
    ),
    open.length === 0 ? [] : readRequests(database, open),
    open.length === 0 ? [] : readSteps(database, open),
    pacesOf(
      database,
      found.flatMap(({ migration }) => (migration.step === 'ended' ? [] : [migration])),
    ),
  ])
  const askedOf = byMigration(asked)
  const stepsOf = byMigration(steps)
  return found.map(({ migration, endedAt }) => {
    const own = { asked: askedOf.get(migration.id) ?? [], steps: stepsOf.get(migration.id) ?? [] }
    const requestedAction = actionsOf(migration, own.asked, own.steps).at(-1) ?? null
    const host = (id: HostId) => fleet.host(id)
    return migrationRow(migration, {
      rights,
      names,
      requestedAction,
      endedAt,
      host,
      steps: own.steps,
      pace: paces(migration),
    })
  })
}

export function actionsOf(
  migration: Migration,
  asked: readonly RequestRow[],
  steps: readonly StepRecord[],
): readonly ActionTrail[] {
  return asked.flatMap((row) => actionEvent(row) ?? []).map((event) => actionTrail(event, migration, steps))
}

function actionEvent({ action, data, who, reason, at }: RequestRow): ActionEvent | null {
  const requestedAction = REQUESTED_ACTIONS.find((each) => each === data.requestedAction)
  if (action !== ACTION_REQUESTED || requestedAction === undefined) return null
  const askedAt = typeof data.askedAt === 'number' ? data.askedAt : at
  return { requestedAction, by: who, reason, askedAt, acceptedAt: at }
}

function byMigration<T extends { readonly migration: MigrationId }>(rows: readonly T[]): Map<MigrationId, T[]> {
  const groups = new Map<MigrationId, T[]>()
  for (const row of rows) {
    const group = groups.get(row.migration)
    if (group) group.push(row)
    else groups.set(row.migration, [row])
  }
  return groups
}

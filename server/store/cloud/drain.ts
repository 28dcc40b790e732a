import type { Attribution } from '../../engine/change'
import type { DrainTry } from '../../engine/cloud/drain/plan'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeCloudTrail } from './trail'

// Drains of cloud hosts through Nova. Their actions are stored with all other actions.

/** left: ended with instances still on the host. stopped: by an operator. */
export const CLOUD_DRAIN_STATES = ['going', 'done', 'left', 'stopped'] as const
export type CloudDrainState = (typeof CLOUD_DRAIN_STATES)[number]

export interface CloudDrainRow {
  readonly id: string
  readonly cloud: string
  readonly host: string
  readonly cold: boolean
  readonly most: number
  readonly state: CloudDrainState
  readonly says: string | null
  readonly who: string
  readonly reason: string | null
  readonly startedAt: number
  readonly endedAt: number | null
}

const READ = `select id, cloud_id as cloud, host, cold, most, state, says, who, reason,
  ms(started_at)::float8 as "startedAt", ms(ended_at)::float8 as "endedAt" from cloud_drain`

/** Open drains of all clouds. */
export async function readOpenCloudDrains({ pool }: Database): Promise<CloudDrainRow[]> {
  const text = `${READ} where ended_at is null order by started_at, id`
  return (await pool.query<CloudDrainRow>({ name: 'cloud-drains-open', text })).rows
}

export async function readLatestCloudDrain(
  { pool }: Database,
  cloud: string,
  host: string,
): Promise<CloudDrainRow | null> {
  const text = `${READ} where cloud_id = $1 and host = $2 order by started_at desc, id limit 1`
  const { rows } = await pool.query<CloudDrainRow>({ name: 'cloud-drain', text, values: [cloud, host] })
  return rows[0] ?? null
}

/** The states of the actions that the drain requested, oldest first; one that the cloud's limit held back is no try. */
export async function readDrainTries({ pool }: Database, drain: string): Promise<DrainTry[]> {
  const text = `select verb, subject, followed #>> '{input,host}' as host, says,
      case when ended_at is null then 'open' when state = 'done' then 'done'
        when followed -> 'isUnanswered' = 'true' or state = 'failed' and not followed ? 'answeredAt' then 'unanswered'
        else 'failed' end as did
    from cloud_action where drain_id = $1 and state <> 'not-sent' order by asked_at, id`
  return (await pool.query<DrainTry>({ name: 'cloud-drain-tries', text, values: [drain] })).rows
}

/** False when the cloud no longer exists, or its host is already being drained. */
export function startCloudDrain(
  database: Database,
  { id, cloud, host, cold, most }: Pick<CloudDrainRow, 'id' | 'cloud' | 'host' | 'cold' | 'most'>,
  { actor, at }: Attribution,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into cloud_drain (id, cloud_id, host, cold, most, state, who, reason, started_at)
        select $1, id, $3, $4, $5, 'going', $6, $7, $8 from cloud where id = $2 on conflict do nothing`,
      [id, cloud, host, cold, most, actor.who, actor.reason, timeText(at)],
    )
    if (rowCount !== 1) return false
    const data = { drain: id, host, cold, most }
    await writeCloudTrail(client, { kind: 'cloud.drain-started', cloud, about: host, data, actor, at })
    return true
  })
}

/** Why the drain's next call is not sent; null: nothing blocks it. Logged to the audit log once per reason. */
export function noteCloudDrain(
  database: Database,
  { id, says }: Pick<CloudDrainRow, 'id' | 'says'>,
  { actor, at }: Attribution,
): Promise<void> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ cloud: string; host: string }>(
      `update cloud_drain set says = $2 where id = $1 and ended_at is null and says is distinct from $2
        returning cloud_id as cloud, host`,
      [id, says],
    )
    const [row] = rows
    if (!row) return
    const { cloud, host } = row
    const data = { host, drain: id, says }
    await writeCloudTrail(client, { kind: 'cloud.drain-held', cloud, about: host, data, actor, at })
  })
}

/** False when the drain had already ended. */
export function endCloudDrain(
  database: Database,
  {
    id,
    state,
    says,
  }: { readonly id: string; readonly state: Exclude<CloudDrainState, 'going'>; readonly says: string },
  { actor, at }: Attribution,
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ cloud: string; host: string }>(
      `update cloud_drain set state = $2, says = $3, ended_at = $4 where id = $1 and ended_at is null
        returning cloud_id as cloud, host`,
      [id, state, says, timeText(at)],
    )
    const [row] = rows
    if (!row) return false
    const { cloud, host } = row
    const data = { host, drain: id, did: state, says }
    await writeCloudTrail(client, { kind: 'cloud.drain-ended', cloud, about: host, data, actor, at })
    return true
  })
}

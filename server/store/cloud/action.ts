import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeCloudTrail } from './trail'

// Actions performed through Nova: stored before they are sent, so that none is lost if this server dies, and followed
// until a read shows whether they were done.

/**
 * sending: it may have been sent. accepted: Nova accepted it. unanswered: no answer came, so it may have been done.
 * not-sent and refused: nothing was done. done and failed: as read afterwards.
 */
export const CLOUD_ACTION_STATES = [
  ...(['sending', 'accepted', 'unanswered', 'not-sent', 'refused', 'done', 'failed'] as const),
] as const
export type CloudActionState = (typeof CLOUD_ACTION_STATES)[number]

export interface NewCloudAction {
  readonly id: string
  readonly cloud: string
  readonly verb: string
  readonly subject: string
  readonly name: string
  /** The chosen parameters, and the observed state when the action was sent. */
  readonly followed: Readonly<Record<string, unknown>>
  /** The drain that requested the action. */
  readonly drain: string | null
}

export interface CloudActionRow extends NewCloudAction {
  readonly state: CloudActionState
  readonly says: string | null
  readonly novaRequest: string | null
  readonly who: string
  readonly reason: string | null
  readonly askedAt: number
  readonly endedAt: number | null
}

/**
 * The id of the action; null, and nothing is stored, when the drain that requested it has ended meanwhile: it must not
 * be sent. A call that a drain repeats because the cloud limited it stays one action.
 */
export function startCloudAction(
  database: Database,
  action: NewCloudAction & { readonly call: string; readonly body: unknown },
  { actor, at }: Attribution,
): Promise<string | null> {
  const { id, cloud, verb, subject, name, followed, drain, call, body } = action
  return inTransaction(database, async (client) => {
    if (drain !== null) {
      // An operator who stops the drain waits for this lock, and then sees the action.
      const text = 'select from cloud_drain where id = $1 and ended_at is null for share'
      if ((await client.query(text, [drain])).rowCount === 0) return null
      const begun = await restartCloudAction(client, { ...action, drain }, at)
      if (begun !== null) return begun
    }
    await client.query(
      `insert into cloud_action (id, cloud_id, verb, subject, name, followed, state, who, reason, asked_at, drain_id)
        values ($1, $2, $3, $4, $5, $6, 'sending', $7, $8, $9, $10)`,
      [id, cloud, verb, subject, name, JSON.stringify(followed), actor.who, actor.reason, timeText(at), drain],
    )
    const data = { action: id, verb, subject, call, body, ...(drain !== null && { drain }) }
    await writeCloudTrail(client, { kind: 'cloud.call', cloud, about: name, data, actor, at })
    return id
  })
}

/** The id of the drain's action that is the same call and was not sent; null: there is none. */
async function restartCloudAction(
  client: pg.PoolClient,
  { drain, verb, subject, followed }: NewCloudAction,
  at: number,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `update cloud_action set state = 'sending', followed = $4, asked_at = $5, ended_at = null
      where state = 'not-sent' and id = (
        select id from cloud_action where drain_id = $1 and verb = $2 and subject = $3 and state = 'not-sent'
          and followed -> 'input' = $4::jsonb -> 'input' order by asked_at desc, id limit 1)
      returning id`,
    [drain, verb, subject, JSON.stringify(followed), timeText(at)],
  )
  return rows[0]?.id ?? null
}

export interface CloudActionAnswer {
  readonly id: string
  readonly state: Exclude<CloudActionState, 'sending' | 'done' | 'failed'>
  readonly says: string
  readonly novaRequest: string | null
  /** By the cloud's clock; null: not reported. */
  readonly sentAt: number | null
}

const ENDED_AT_ONCE = ['not-sent', 'refused']

/** The result of sending it. Not logged again when it was not sent for the same reason as before. */
export function answerCloudAction(
  database: Database,
  answer: CloudActionAnswer,
  attribution: Attribution,
): Promise<void> {
  const { id, state, says, novaRequest, sentAt } = answer
  const ended = ENDED_AT_ONCE.includes(state) ? timeText(attribution.at) : null
  return change(database, attribution, {
    kind: 'cloud.called',
    text: `with before as (select id, says from cloud_action where id = $1 and state = 'sending' for update)
      update cloud_action a set state = $2, says = $3, nova_request = $4, ended_at = $5,
        followed = followed || jsonb_strip_nulls(jsonb_build_object('sentAt', $6::float8, 'answeredAt', ms(clock_timestamp()),
          'isUnanswered', case when $2 = 'unanswered' then true end))
      from before where a.id = before.id returning a.*, a.state = 'not-sent' and before.says = a.says as "isRepeated"`,
    values: [id, state, says, novaRequest, ended, sentAt],
  })
}

/** Records what a later read showed. Does not change an action that has ended. */
export const endCloudAction = (
  database: Database,
  { id, state, says }: { readonly id: string; readonly state: 'done' | 'failed'; readonly says: string },
  attribution: Attribution,
): Promise<void> =>
  change(database, attribution, {
    kind: 'cloud.acted',
    text: 'update cloud_action set state = $2, says = $3, ended_at = $4 where id = $1 and ended_at is null returning *',
    values: [id, state, says, timeText(attribution.at)],
  })

/**
 * Dates an open action again whose times are ahead of the clock, which was set back since: what its times are compared
 * with is then certainly later. `at` may be ahead of the database's clock, but by less than its steps.
 */
export async function dateCloudActionAgain({ pool }: Database, id: string, at: number): Promise<void> {
  await pool.query({
    name: 'cloud-action-date-again',
    text: `with clock as materialized (select greatest($2::timestamptz, clock_timestamp()) as now)
      update cloud_action set asked_at = least(asked_at, now), followed = case when jsonb_typeof(followed -> 'answeredAt') = 'number'
        then followed || jsonb_build_object('answeredAt', least((followed -> 'answeredAt')::float8, ms(now))) else followed end
      from clock where id = $1 and ended_at is null`,
    values: [id, timeText(at)],
  })
}

interface ActionWrite {
  readonly kind: 'cloud.called' | 'cloud.acted'
  readonly text: string
  readonly values: readonly unknown[]
}

interface ChangedAction extends Record<'cloud_id' | 'verb' | 'subject' | 'name' | 'id' | 'state' | 'says', string> {
  readonly isRepeated?: boolean | null
}

function change(database: Database, { actor, at }: Attribution, { kind, text, values }: ActionWrite): Promise<void> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<ChangedAction>(text, [...values])
    const [row] = rows
    if (!row || row.isRepeated === true) return
    const { cloud_id: cloud, id: action, verb, subject, name: about, state, says } = row
    const data = { action, verb, subject, did: state, says }
    await writeCloudTrail(client, { kind, cloud, about, data, actor, at })
  })
}

const READ = `select id, cloud_id as cloud, verb, subject, name, followed, state, says, nova_request as "novaRequest", who, reason,
  drain_id as drain, ms(asked_at)::float8 as "askedAt", ms(ended_at)::float8 as "endedAt" from cloud_action`

/** Actions that are still followed, of all clouds. */
export async function readOpenCloudActions({ pool }: Database): Promise<CloudActionRow[]> {
  const text = `${READ} where ended_at is null order by asked_at, id`
  return (await pool.query<CloudActionRow>({ name: 'cloud-actions-open', text })).rows
}

const MAX_SHOWN = 20

/** Actions of one subject, or of the whole cloud; newest first. */
export async function readLatestCloudActions(
  { pool }: Database,
  cloud: string,
  subject: string | null,
): Promise<CloudActionRow[]> {
  const text = `${READ} where cloud_id = $1 and ($2::text is null or subject = $2) order by asked_at desc, id limit $3`
  return (await pool.query<CloudActionRow>({ name: 'cloud-actions', text, values: [cloud, subject, MAX_SHOWN] })).rows
}

/** Actions of one drain, oldest first. */
export async function readDrainActions({ pool }: Database, drain: string): Promise<CloudActionRow[]> {
  const text = `${READ} where drain_id = $1 order by asked_at, id`
  return (await pool.query<CloudActionRow>({ name: 'cloud-actions-of-drain', text, values: [drain] })).rows
}

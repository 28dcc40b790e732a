import type pg from 'pg'
import type { Actor, Attribution } from '../../engine/change'
import type { HostStatus } from '../../engine/host'
import type { HostId } from '../../engine/words/ids'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// Actions that await a second person. One proposal is open per action: proposing it again returns the same one, and
// proposing other parts, another generation or other calls to a cloud replaces it.

export type ProposalState = 'open' | 'approved' | 'refused' | 'withdrawn' | 'expired'

export interface ProposalRow {
  readonly id: string
  readonly kind: 'host-status' | 'heal' | 'evacuation' | 'fencing' | 'release' | 'cloud'
  readonly host: string | null
  readonly status: HostStatus | null
  /** The repair, or the run of the evacuation. */
  readonly plan: string | null
  /** Whose allocation is to be released, and the generation and last write at which it was shown. */
  readonly consumer: string | null
  readonly generation: number | null
  readonly writtenAt: number | null
  /** The OpenStack cloud, and the action on it. */
  readonly cloud: string | null
  readonly request: Readonly<Record<string, unknown>> | null
  /** Parts of the plan. */
  readonly parts: readonly number[]
  readonly reason: string
  readonly by: string
  /** The proposer's account, which keeps its id when it is renamed; null in earlier rows. */
  readonly byId: string | null
  /** The account of the token that `by` names; null: a user proposed it. */
  readonly tokenAccount: string | null
  readonly at: number
  readonly state: ProposalState
  readonly decidedBy: string | null
  readonly decidedAt: number | null
  /** Approved, and not carried out yet. */
  readonly isRunning: boolean
}

export interface NewProposal
  extends Pick<
    ProposalRow,
    'id' | 'kind' | 'host' | 'status' | 'plan' | 'consumer' | 'generation' | 'writtenAt' | 'cloud' | 'request' | 'parts'
  > {
  /** The proposer, with the reason. */
  readonly actor: Actor
  /** The id of the account that the actor is, or that the actor's token acts for. */
  readonly byId: string
  readonly at: number
  readonly expiresAt: number
}

const ROW = `id, kind, host_id as host, status, plan_id as plan, consumer_id as consumer, consumer_generation::float8 as generation, ms(consumer_written_at)::float8 as "writtenAt", cloud_id as cloud, request, parts, reason, by, by_id as "byId",
  (select account_id from api_token where by = 'token ' || name) as "tokenAccount", ms(at)::float8 as at, state,
  decided_by as "decidedBy", ms(decided_at)::float8 as "decidedAt", state = 'approved' and done_at is null as "isRunning"`

/** The id of the open proposal: this one, or an earlier one. */
export async function putProposal(database: Database, made: NewProposal): Promise<string> {
  await settle(database, made.at)
  return inTransaction(database, async (client) => {
    await lockCloud(client, made)
    await expireReplaced(client, made)
    for (let tries = 0; tries < TRIES; tries++) {
      if (await insertProposal(client, made)) return made.id
      // None: it was decided since the insert met it.
      const open = await openLike(client, made)
      if (open !== null) return open
    }
    throw new Error('Equal proposals were decided as fast as this one was made.')
  })
}

const TRIES = 5

const requestText = ({ request }: NewProposal) => (request === null ? null : JSON.stringify(request))

const writtenAtOf = ({ writtenAt }: NewProposal) => (writtenAt === null ? null : timeText(writtenAt))

/** Two different requests for one action on a cloud would both be stored: the unique index only meets equal ones. */
async function lockCloud(client: pg.PoolClient, { cloud }: NewProposal): Promise<void> {
  if (cloud !== null) await client.query('select pg_advisory_xact_lock(hashtext($1))', [`proposals on ${cloud}`])
}

/** What a request for an action on a cloud is about: the finding, or the action and its object, whatever its calls are. */
const aboutCloud = (request: string) => `case ${request} ->> 'do'
  when 'repair' then jsonb_build_array('repair', ${request} -> 'finding')
  when 'act' then jsonb_build_array('act', ${request} -> 'verb', ${request} -> 'subject')
  else jsonb_build_array(${request} -> 'do', ${request} -> 'host') end`

/** Whoever approves has read the open one, so another request does not change it. */
async function expireReplaced(client: pg.PoolClient, made: NewProposal): Promise<void> {
  const { kind, plan, parts, consumer, generation, cloud, at } = made
  const { rows } = await client.query<ExpiredRow>(
    `update proposal set state = 'expired' where id in (
       select id from proposal where state = 'open' and kind = $1
         and (plan_id = $2 and parts <> $3::int[] or consumer_id = $4
           and (consumer_generation, consumer_written_at) is distinct from ($5::bigint, $6::timestamptz)
           or cloud_id = $7 and request <> $8::jsonb and ${aboutCloud('request')} = ${aboutCloud('$8::jsonb')})
       order by id for no key update)
     returning id, host_id as host`,
    [kind, plan, parts, consumer, generation, writtenAtOf(made), cloud, requestText(made)],
  )
  await noteExpired(client, rows, { actor: { ...made.actor, reason: 'Another request replaced it.' }, at })
}

interface ExpiredRow {
  readonly id: string
  readonly host: HostId | null
}

async function noteExpired(client: pg.PoolClient, rows: readonly ExpiredRow[], by: Attribution): Promise<void> {
  for (const { id, host } of rows) {
    const hosts = host === null ? [] : [host]
    await writeTrail(client, { kind: 'proposal.expired', hosts, data: { proposal: id }, ...by })
  }
}

/** False, and nothing is stored, while an equal one is open. */
async function insertProposal(client: pg.PoolClient, made: NewProposal): Promise<boolean> {
  const { id, kind, host, status, plan, consumer, generation, parts, actor, at } = made
  const { rowCount } = await client.query(
    `insert into proposal (id, kind, host_id, status, plan_id, consumer_id, consumer_generation,
       consumer_written_at, parts, reason, by, by_id, at, expires_at, cloud_id, request, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'open') on conflict do nothing`,
    [
      ...[id, kind, host, status, plan, consumer, generation, writtenAtOf(made), parts, actor.reason ?? ''],
      ...[actor.who, made.byId, timeText(at), timeText(made.expiresAt), made.cloud, requestText(made)],
    ],
  )
  if (rowCount !== 1) return false
  const hosts = host === null ? [] : [host as HostId]
  const { cloud, request } = made
  const data = { proposal: id, kind, status, plan, consumer, ...(cloud !== null && { cloud, request }) }
  await writeTrail(client, { kind: 'proposal.made', hosts, data, actor, at })
  return true
}

/** Whether proposals o and p of one kind are one request, so that one of them at most is open. */
const IS_SAME_REQUEST = `case p.kind when 'host-status' then o.host_id = p.host_id and o.status = p.status
  when 'fencing' then o.host_id = p.host_id when 'release' then o.consumer_id = p.consumer_id
  when 'cloud' then o.cloud_id = p.cloud_id and ${aboutCloud('o.request')} = ${aboutCloud('p.request')}
  else o.plan_id = p.plan_id end`

async function openLike(client: pg.PoolClient, made: NewProposal): Promise<string | null> {
  const { kind, host, status, plan, consumer } = made
  const { rows } = await client.query<{ id: string }>(
    `select o.id from proposal o
     join (values ($1::text, $2::uuid, $3::text, $4::uuid, $5::uuid, $6::uuid, $7::jsonb))
       p (kind, host_id, status, plan_id, consumer_id, cloud_id, request)
       on o.kind = p.kind and ${IS_SAME_REQUEST}
     where o.state = 'open'`,
    [kind, host, status, plan, consumer, made.cloud, requestText(made)],
  )
  return rows[0]?.id ?? null
}

const LONGEST_SILENCE_MS = 5 * 60_000 // of the server that carries out what was approved; it notes that much more often

/** Ends what has expired, and reopens approvals whose server was stopped before it had carried them out. */
async function settle(database: Database, now: number): Promise<void> {
  const { pool } = database
  const due = await pool.query(`select from proposal where state = 'open' and expires_at <= $1 limit 1`, [
    timeText(now),
  ])
  if (due.rowCount === 1) await inTransaction(database, (client) => expireDue(client, now))
  const { rows } = await pool.query<{ id: string }>(
    `select id from proposal where state = 'approved' and done_at is null and greatest(decided_at, running_at) <= $1`,
    [timeText(now - LONGEST_SILENCE_MS)],
  )
  const actor = { who: 'berth', request: null, reason: 'It was approved, but not carried out.' }
  for (const { id } of rows) await reopenProposal(database, { id, actor, at: now })
}

async function expireDue(client: pg.PoolClient, now: number): Promise<void> {
  const { rows } = await client.query<ExpiredRow>(
    `update proposal set state = 'expired' where id in (
       select id from proposal where state = 'open' and expires_at <= $1 order by id for no key update)
     returning id, host_id as host`,
    [timeText(now)],
  )
  await noteExpired(client, rows, {
    actor: { who: 'berth', request: null, reason: 'It expired without a decision.' },
    at: now,
  })
}

export interface ProposalsQuery {
  /** `running` is approved and not carried out yet; `approved` is carried out. Null: all. */
  readonly state: ProposalState | 'running' | null
  readonly now: number
  readonly limit: number
}

/** Newest first. */
export async function listProposals(database: Database, { state, now, limit }: ProposalsQuery): Promise<ProposalRow[]> {
  await settle(database, now)
  const isRunning = state === 'running' ? true : state === 'approved' ? false : null
  const { rows } = await database.pool.query<ProposalRow>(
    `select ${ROW} from proposal
     where ($1::text is null or state = $1) and ($2::boolean is null or (done_at is null) = $2)
     order by at desc, id limit $3`,
    [state === 'running' ? 'approved' : state, isRunning, limit],
  )
  return rows
}

export interface OpenProposals {
  readonly count: number
  /** When the oldest one was made; null without any. */
  readonly since: number | null
}

export async function countOpenProposals({ pool }: Database, now: number): Promise<OpenProposals> {
  const { rows } = await pool.query<OpenProposals>(
    `select count(*)::int as count, ms(min(at))::float8 as since from proposal where state = 'open' and expires_at > $1`,
    [timeText(now)],
  )
  return rows[0] ?? { count: 0, since: null }
}

export async function readProposal(database: Database, id: string, now: number): Promise<ProposalRow | null> {
  await settle(database, now)
  return (await database.pool.query<ProposalRow>(`select ${ROW} from proposal where id = $1`, [id])).rows[0] ?? null
}

/** The latest one for this repair or run, open or decided. */
export async function readProposalOfPlan({ pool }: Database, plan: string): Promise<ProposalRow | null> {
  const { rows } = await pool.query<ProposalRow>(
    `select ${ROW} from proposal where plan_id = $1 order by at desc, id limit 1`,
    [plan],
  )
  return rows[0] ?? null
}

/** The last one about this consumer, open or decided. */
export async function readProposalOfConsumer({ pool }: Database, consumer: string): Promise<ProposalRow | null> {
  const { rows } = await pool.query<ProposalRow>(
    `select ${ROW} from proposal where consumer_id = $1 order by at desc, id limit 1`,
    [consumer],
  )
  return rows[0] ?? null
}

export interface Verdict extends Attribution {
  readonly id: string
  readonly state: 'approved' | 'refused' | 'withdrawn'
}

/** False when the proposal was already decided, or expired. */
export function decideProposal(database: Database, { id, state, actor, at }: Verdict): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ host: HostId | null; by: string }>(
      `update proposal set state = $2, decided_by = $3, decided_reason = $4, decided_at = $5, running_at = null
       where id = $1 and state = 'open' and expires_at > $5 returning host_id as host, by`,
      [id, state, actor.who, actor.reason, timeText(at)],
    )
    const [row] = rows
    if (!row) return false
    const hosts = row.host === null ? [] : [row.host]
    await writeTrail(client, { kind: `proposal.${state}`, hosts, data: { proposal: id, by: row.by }, actor, at })
    return true
  })
}

/** The server that carries it out still does. */
export async function noteRunning({ pool }: Database, id: string, at: number): Promise<void> {
  await pool.query(`update proposal set running_at = $2 where id = $1 and state = 'approved' and done_at is null`, [
    id,
    timeText(at),
  ])
}

/** What was approved is done, or recorded as a requested action. */
export async function noteCarriedOut({ pool }: Database, id: string, { actor, at }: Attribution): Promise<void> {
  // It may have been reopened meanwhile: then it took longer than expected.
  await pool.query(
    `update proposal set done_at = $2, state = 'approved', decided_by = $3, decided_reason = $4,
       decided_at = coalesce(decided_at, $2)
     where id = $1 and state in ('approved', 'open', 'expired')`,
    [id, timeText(at), actor.who, actor.reason],
  )
}

/** Reopens an approved proposal that was not carried out. It expires instead if one like it (`openLike`) is open. */
export function reopenProposal(
  database: Database,
  { id, actor, at }: Attribution & { readonly id: string },
): Promise<void> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ host: HostId | null; state: ProposalState }>(
      `update proposal p set decided_by = null, decided_reason = null, decided_at = null,
         state = case when exists (
           select 1 from proposal o where o.state = 'open' and o.kind = p.kind and ${IS_SAME_REQUEST})
           then 'expired' else 'open' end
       where id = $1 and state = 'approved' and done_at is null returning host_id as host, state`,
      [id],
    )
    const [row] = rows
    if (!row) return
    const kind = row.state === 'open' ? 'proposal.reopened' : 'proposal.expired'
    await writeTrail(client, { kind, hosts: row.host === null ? [] : [row.host], data: { proposal: id }, actor, at })
  })
}

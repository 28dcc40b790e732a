import type { Attribution } from '../../engine/change'
import type { FencingEnd, FencingMethodKind, FencingState } from '../../engine/fencing/fencing'
import type { HostId } from '../../engine/words/ids'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { storableText } from '../database/storable-text'
import { inTransaction } from '../database/transaction'
import { writeTrail } from '../event/trail-write'

// Fencing of hosts by a BMC or command. Stored before it is contacted, so that a server that dies leaves a record of
// the request and of whether the power-off was sent.

export interface FencingRow {
  readonly id: string
  readonly host: HostId
  readonly method: FencingMethodKind
  readonly state: FencingState
  readonly who: string
  readonly reason: string | null
  readonly request: string | null
  readonly approved: FencingApproval | null
  readonly askedAt: number
  readonly deadlineAt: number
  /** How often power-off was ordered. */
  readonly orders: number
  readonly accepted: boolean | null
  readonly log: readonly { readonly at: number; readonly says: string }[]
  readonly endedAt: number | null
}

export interface FencingApproval {
  readonly proposal: string
  readonly proposedBy: string
  readonly approvedBy: string
}

export type NewFencing = Attribution & Pick<FencingRow, 'id' | 'host' | 'method' | 'approved' | 'deadlineAt'>

/** False when the host is already being fenced. */
export function startFencing(database: Database, made: NewFencing): Promise<boolean> {
  const { id, host, method, approved, deadlineAt, actor, at } = made
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into fencing (id, host_id, method, who, reason, request, approved, asked_at, deadline_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        ...[id, host, method, actor.who, actor.reason, actor.request],
        ...[approved && JSON.stringify(approved), timeText(at), timeText(deadlineAt)],
      ],
    )
    if (rowCount !== 1) return false
    const data = { fencing: id, method, ...approved }
    await writeTrail(client, { kind: 'fencing.asked', hosts: [host], data, actor, at })
    return true
  })
}

const READ = `select id, host_id as host, method, state, who, reason, request, approved, ms(asked_at)::float8 as "askedAt",
  ms(deadline_at)::float8 as "deadlineAt", orders, accepted, log, ms(ended_at)::float8 as "endedAt" from fencing`

/** Fencing operations in progress, oldest first. */
export async function readOpenFencings({ pool }: Database): Promise<FencingRow[]> {
  const text = `${READ} where ended_at is null order by asked_at, id`
  return (await pool.query<FencingRow>({ name: 'fencings-open', text })).rows
}

/** The latest fencing of a host. */
export async function readLatestFencing({ pool }: Database, host: HostId): Promise<FencingRow | null> {
  const text = `${READ} where host_id = $1 order by asked_at desc, id limit 1`
  return (await pool.query<FencingRow>({ name: 'fencing-latest', text, values: [host] })).rows[0] ?? null
}

/** A step of a fencing in progress, and who reported it. */
export interface FencingNote extends Attribution {
  readonly id: string
  readonly says: string
}

/** Records a reading of the power state. It changes nothing, so it leaves an event but no audit entry. */
export async function noteReading(database: Database, note: FencingNote): Promise<void> {
  await write(
    database,
    { ...note, actor: { ...note.actor, request: null } },
    {
      kind: 'fencing.read',
      text: 'update fencing set log = log || $2::jsonb where id = $1 and ended_at is null returning host_id, method, state',
      values: [],
    },
  )
}

/**
 * Records the order before it is sent. False when another server has ordered or ended it since the row was read; that
 * server continues.
 */
export function noteOrder(database: Database, note: FencingNote & Pick<FencingRow, 'orders'>): Promise<boolean> {
  return write(database, note, {
    kind: 'fencing.ordered',
    text: `update fencing set log = log || $2::jsonb, orders = orders + 1, accepted = null
      where id = $1 and orders = $3 and ended_at is null returning host_id, method, state`,
    values: [note.orders],
  })
}

/** Records the result of the last of `orders`; null: unknown. False when another server has ordered since. */
export function noteOrdered(
  database: Database,
  note: FencingNote & Pick<FencingRow, 'orders' | 'accepted'>,
): Promise<boolean> {
  return write(database, note, {
    kind: 'fencing.answered',
    text: `update fencing set log = log || $2::jsonb, accepted = $3
      where id = $1 and orders = $4 and ended_at is null returning host_id, method, state`,
    values: [note.accepted, note.orders],
  })
}

export function endFencing(database: Database, note: FencingNote & { readonly state: FencingEnd }): Promise<boolean> {
  return write(database, note, {
    kind: 'fencing.ended',
    text: `update fencing set log = log || $2::jsonb, state = $3, ended_at = $4
      where id = $1 and ended_at is null returning host_id, method, state`,
    values: [note.state, timeText(note.at)],
  })
}

interface FencingWrite {
  readonly kind: string
  readonly text: string
  readonly values: readonly unknown[]
}

const SAYS_LENGTH = 1_000

/** False when the fencing had already ended; then nothing is written. */
function write(
  database: Database,
  { id, says: said, actor, at }: FencingNote,
  { kind, text, values }: FencingWrite,
): Promise<boolean> {
  const says = storableText(said, SAYS_LENGTH)
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ host_id: HostId; method: FencingMethodKind; state: FencingState }>(text, [
      ...[id, JSON.stringify([{ at, says }])],
      ...values,
    ])
    const [row] = rows
    if (!row) return false
    const { host_id: host, method, state } = row
    const data = { fencing: id, method, says, ...(state !== 'running' && { did: state }) }
    await writeTrail(client, { kind, hosts: [host], data, actor, at })
    return true
  })
}

import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { FindingKind } from '../../engine/audit/finding'
import { FINDING_KINDS, SEVERITIES, type Severity } from '../../engine/audit/kinds'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'

// Findings of audits. Recording is one transaction: it opens new findings, updates those that persist, closes resolved
// ones, and adds an event when any opened or closed.

/** A stored finding of one audit. `body` is opaque here. */
export interface AuditFinding<Body = unknown> {
  /** Stable while the same fault persists, even if its numbers change. */
  readonly fingerprint: string
  readonly kind: FindingKind
  readonly severity: Severity
  readonly confidence: 'sure' | 'likely' | 'once'
  readonly host: string | null
  readonly instance: string | null
  readonly migration: string | null
  readonly unit: string | null
  readonly body: Body
}

export interface AuditRecord {
  /** Its number, from `nextAuditNumber`. */
  readonly sequence: string
  /** When the tables were read. */
  readonly at: number
  readonly tookMs: number
  /** Whether every row was read, and not only what events named. */
  readonly cold: boolean
  readonly hosts: number
  readonly instances: number
  readonly findings: readonly AuditFinding[]
}

export interface FindingCounts {
  readonly opened: number
  readonly closed: number
}

/** Numbers an audit before it reads anything, so that the order of audits does not depend on a clock. */
export async function nextAuditNumber({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ sequence: string }>(`select nextval('audit_sequence')::text as sequence`)
  const [row] = rows
  if (!row) throw new Error('The database did not number the audit.')
  return row.sequence
}

/** Null when an audit that began later was recorded before: then nothing is written, because its data is newer. */
export function recordAudit(database: Database, audit: AuditRecord): Promise<FindingCounts | null> {
  return inTransaction(database, async (client) => {
    if (!(await isNewest(client, audit))) return null
    await client.query(FORGET_UNREADABLE, [SEVERITIES])
    const before = await openBefore(client)
    const changed = audit.findings.filter((each) => before.get(each.fingerprint) !== stampOf(each))
    const opened = changed.filter((each) => !before.has(each.fingerprint))
    const seen = new Set(audit.findings.map((each) => each.fingerprint))
    const closed = [...before.keys()].filter((fingerprint) => !seen.has(fingerprint))
    const time = timeText(audit.at)
    if (changed.length > 0) await put(client, changed, time)
    await client.query('update finding set last_seen_at = $1 where closed_at is null and fingerprint <> all($2)', [
      ...[time, closed],
    ])
    const closedHosts = await close(client, closed, time)
    if (opened.length > 0) await tell(client, { kind: 'finding.opened', hosts: opened.map((each) => each.host), time })
    if (closed.length > 0) await tell(client, { kind: 'finding.closed', hosts: closedHosts, time })
    await client.query(
      `update standing_audit set at = $1, took_ms = $2, hosts = $3, instances = $4,
        cold_at = case when $5 then $1 when isfinite(cold_at) then cold_at end, sequence = $6`,
      [time, Math.round(audit.tookMs), audit.hosts, audit.instances, audit.cold, audit.sequence],
    )
    return { opened: opened.length, closed: closed.length }
  })
}

// An audit can write a finding again, so an unreadable one is deleted: not even its time could be updated, because
// every write of a row checks all constraints of its table.
const FORGET_UNREADABLE = `delete from finding where closed_at is null and (
  severity <> all($1) or confidence not in ('sure', 'likely', 'once')
  or not isfinite(first_seen_at) or not isfinite(last_seen_at)
  or jsonb_typeof(body) is distinct from 'object' or jsonb_typeof(body -> 'stamp') is distinct from 'string'
  or jsonb_typeof(body -> 'of' -> 'finding' -> 'where') is distinct from 'object' and body -> 'of' ? 'finding')`

/**
 * Locks the one row of the audit, so that servers record in sequence. A missing row is recreated, and an unassigned
 * number counts as none: otherwise no audit would ever be recorded again.
 */
async function isNewest(client: pg.PoolClient, { sequence }: AuditRecord): Promise<boolean> {
  await client.query('insert into standing_audit (id) values (1) on conflict do nothing')
  const { rows } = await client.query<{ later: boolean }>(
    `select sequence > $1::bigint and sequence <= (select last_value from audit_sequence) as later
     from standing_audit for update`,
    [sequence],
  )
  return rows[0]?.later === false
}

/** Fingerprint → stamp of its last write. */
async function openBefore(client: pg.PoolClient): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ fingerprint: string; stamp: string }>(
    `select fingerprint, body ->> 'stamp' as stamp from finding where closed_at is null`,
  )
  return new Map(rows.map((row) => [row.fingerprint, row.stamp]))
}

// Compared instead of whole rows: jsonb does not keep the order in which a body was written.
const stampOf = ({ severity, confidence, host, instance, migration, unit, body }: AuditFinding): string =>
  createHash('sha256')
    .update(JSON.stringify([severity, confidence, host, instance, migration, unit, body]))
    .digest('base64url')

async function put(client: pg.PoolClient, findings: readonly AuditFinding[], time: string): Promise<void> {
  const rows = findings.map((each) => ({
    ...each,
    id: randomUUID(),
    body: { stamp: stampOf(each), of: each.body },
  }))
  await client.query(
    `insert into finding (id, fingerprint, kind, severity, confidence, host_id, instance_id, migration_id, unit, body,
        first_seen_at, last_seen_at)
      select id, fingerprint, kind, severity, confidence, host, instance, migration, unit, body, $2, $2
      from jsonb_to_recordset($1::jsonb) as r(id uuid, fingerprint text, kind text, severity text, confidence text,
        host uuid, instance uuid, migration uuid, unit text, body jsonb)
      on conflict (fingerprint) do update set severity = excluded.severity, confidence = excluded.confidence,
        host_id = excluded.host_id, instance_id = excluded.instance_id, migration_id = excluded.migration_id,
        unit = excluded.unit, body = excluded.body, last_seen_at = excluded.last_seen_at, closed_at = null,
        first_seen_at = case when finding.closed_at is null then finding.first_seen_at else excluded.first_seen_at end`,
    [JSON.stringify(rows), time],
  )
}

async function close(client: pg.PoolClient, closed: readonly string[], time: string): Promise<(string | null)[]> {
  if (closed.length === 0) return []
  const { rows } = await client.query<{ host: string | null }>(
    'update finding set closed_at = $2 where fingerprint = any($1) and closed_at is null returning host_id as host',
    [closed, time],
  )
  return rows.map(({ host }) => host)
}

interface FindingEvent {
  readonly kind: 'finding.opened' | 'finding.closed'
  readonly hosts: readonly (string | null)[]
  readonly time: string
}

// One event per audit, however many findings: screens refetch what they show.
async function tell(client: pg.PoolClient, { kind, hosts, time }: FindingEvent): Promise<void> {
  const named = [...new Set(hosts.filter((host) => host !== null))]
  await client.query(
    `insert into outbox (kind, hosts, data, raised, who, at) values ($1, $2::uuid[], $3, '{}', 'audit', $4)`,
    [kind, named, JSON.stringify({ count: hosts.length }), time],
  )
}

/** The last audit that was recorded, by whichever server; `at` null before the first. */
export interface AuditNow {
  readonly at: number | null
  readonly tookMs: number | null
  readonly coldAt: number | null
  readonly hosts: number
  readonly instances: number
  readonly byKind: readonly {
    readonly kind: FindingKind
    readonly severity: AuditFinding['severity']
    readonly count: number
    /** Findings that more than one survey confirms. */
    readonly proven: number
    /** Time at which the oldest was first seen. */
    readonly since: number
    /** The subject, when there is only one. */
    readonly host: string | null
    readonly instance: string | null
  }[]
}

export async function readAuditNow({ pool }: Database): Promise<AuditNow> {
  const { rows } = await pool.query<{ now: AuditNow }>({
    name: 'audit-now',
    text: `select json_build_object('at', ms(s.at), 'tookMs', s.took_ms, 'coldAt', ms(s.cold_at), 'hosts', s.hosts,
        'instances', s.instances, 'byKind', coalesce((
          select json_agg(to_jsonb(c) order by count desc, kind)
          from (select kind, severity, count(*)::int as count, ms(min(first_seen_at)) as since,
              (count(*) filter (where confidence <> 'once'))::int as proven,
              case when count(*) = 1 then min(host_id::text) end as host,
              case when count(*) = 1 then min(instance_id::text) end as instance
            from finding where closed_at is null group by 1, 2) c), '[]')) as now
      from standing_audit s`,
  })
  return (
    (rows[0] && knownOnly(rows[0].now)) ?? { at: null, tookMs: null, coldAt: null, hosts: 0, instances: 0, byKind: [] }
  )
}

/** Kinds unknown to this version's audits cannot be displayed; the next recorded audit closes them. */
const knownOnly = (now: AuditNow): AuditNow => ({
  ...now,
  byKind: now.byKind.filter(({ kind }) => FINDING_KINDS.includes(kind)),
})

import type { Attribution } from '../../engine/change'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { recordEntry } from './entry'

// The hash chain of the audit log. A seal is the SHA-256 of a run of entries and of the previous seal, so a changed,
// removed or inserted entry shows at its seal, and a recomputed seal shows at the next one. A copy of the newest hash
// kept elsewhere also shows when the end of the log was cut off.

/** Maximum entries per seal, because verifying a seal reads all its entries. */
const ENTRIES_MAX = 10_000
/** Writers queue behind the lock, so it has a short timeout; the next round retries. */
const LOCK_WAIT = '200ms'
const LOCK_NOT_AVAILABLE = '55P03'

/** Seals what was written since the last seal. Returns the number of entries. */
export async function sealAuditLog(database: Database): Promise<number> {
  const last = await lastWritten(database)
  if (last === null) return 0
  let sealed = 0
  for (;;) {
    const { rows } = await database.pool.query<{ entries: number; last: string }>({
      name: 'seal-audit-log',
      text: `with before as materialized (
               select last, hash from audit_seal order by id desc limit 1),
             due as materialized (
               select id from audit_entry where id > coalesce((select last from before), 0) and id <= $1
               order by id limit ${ENTRIES_MAX}),
             part as (
               select min(id) as first, max(id) as last, count(*)::int as entries,
                 coalesce((select hash from before), '') as previous from due having count(*) > 0)
             insert into audit_seal (first, last, entries, previous, hash, at)
             select first, last, entries, previous, audit_digest(first, last, previous), now() from part
             returning entries, last`,
      values: [last],
    })
    const seal = rows[0]
    if (!seal) return sealed
    sealed += seal.entries
  }
}

/**
 * The last entry, so that no entry with a lower id can still appear: under the lock no writer is active, and ids are
 * drawn only after it is acquired. Null when there is none, or during a long write.
 */
async function lastWritten(database: Database): Promise<string | null> {
  try {
    return await inTransaction(database, async (client) => {
      await client.query(`set local lock_timeout = '${LOCK_WAIT}'`)
      await client.query('lock table audit_entry in share mode')
      const { rows } = await client.query<{ last: string | null }>('select max(id)::text as last from audit_entry')
      return rows[0]?.last ?? null
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return null
    throw error
  }
}

export interface BrokenSeal {
  readonly seal: string
  readonly first: string
  readonly last: string
  readonly sealedAt: Date
  /** `chain`: the seal does not follow the previous one. `entries`: an entry was changed, removed or inserted. */
  readonly what: 'chain' | 'entries'
  readonly expectedEntries: number
  readonly foundEntries: number
}

export interface AuditLogProof {
  readonly seals: number
  readonly entries: number
  /** Entries that are not sealed yet: those of the last minute, while a server runs. */
  readonly unsealed: number
  /** Of the newest seal; null without one. */
  readonly head: string | null
  readonly broken: readonly BrokenSeal[]
}

/** Recomputes every seal. Entries removed by retention are not missed. */
export async function proveAuditLog(
  { pool }: Database,
  onSeal: (done: number) => void = () => {},
): Promise<AuditLogProof> {
  const broken: BrokenSeal[] = []
  const keptFrom = await readPruned(pool)
  let before: SealRow | null = null
  let seals = 0
  let entries = 0
  for (;;) {
    const seal: SealRow | undefined = await readSeal(pool, before)
    if (!seal) break
    const isPruned = seal.found === 0 && BigInt(seal.last) <= keptFrom
    const isChained = seal.previous === (before?.hash ?? '') && seal.between === 0
    if (!isChained || (!isPruned && seal.digest !== seal.hash)) broken.push(brokenSeal(seal, isChained))
    before = seal
    seals += 1
    entries += seal.found
    onSeal(seals)
  }
  const last = before?.last ?? '0'
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from audit_entry where id > $1', [last])
  return { seals, entries, unsealed: rows[0]?.n ?? 0, head: before?.hash ?? null, broken }
}

function brokenSeal({ id, first, last, at, entries, found }: SealRow, isChained: boolean): BrokenSeal {
  const counts = { expectedEntries: entries, foundEntries: found }
  return { seal: id, first, last, sealedAt: at, what: isChained ? 'entries' : 'chain', ...counts }
}

/** The last entry that retention removed. */
async function readPruned(pool: Database['pool']): Promise<bigint> {
  const { rows } = await pool.query<{ last: string }>(
    `select coalesce(max((data ->> 'upTo')::bigint), 0)::text as last from audit_entry where action = 'audit-log.pruned'`,
  )
  return BigInt(rows[0]?.last ?? '0')
}

/** The next seal, with its digest computed from the existing entries. */
async function readSeal(pool: Database['pool'], before: SealRow | null): Promise<SealRow | undefined> {
  const { rows } = await pool.query<SealRow>({
    name: 'prove-audit-seal',
    text: `select s.id::text, s.first::text, s.last::text, s.entries, s.previous, s.hash, s.at,
             audit_digest(s.first, s.last, s.previous) as digest,
             (select count(*)::int from audit_entry e where e.id between s.first and s.last) as found,
             (select count(*)::int from audit_entry e where e.id > $2::bigint and e.id < s.first) as between
           from (select * from audit_seal where id > $1::bigint order by id limit 1) s`,
    values: [before?.id ?? '0', before?.last ?? '0'],
  })
  return rows[0]
}

interface SealRow {
  readonly id: string
  readonly first: string
  readonly last: string
  readonly entries: number
  readonly previous: string
  readonly hash: string
  readonly at: Date
  readonly digest: string
  readonly found: number
  readonly between: number
}

/** Removes entries before that time, whole seals at a time, and logs it. Returns the number removed. */
export async function pruneAuditLog(database: Database, { before, at, actor }: Prune): Promise<number> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ last: string }>(
      `select s.last::text from audit_seal s where not exists (
         select 1 from audit_entry e where e.id <= s.last and e.at >= $1) order by s.id desc limit 1`,
      [new Date(before)],
    )
    const upTo = rows[0]?.last
    if (upTo === undefined) return 0
    await client.query(`set local berth.audit_retention = 'on'`)
    const { rowCount } = await client.query('delete from audit_entry where id <= $1', [upTo])
    if (!rowCount) return 0
    const data = { upTo: Number(upTo), entries: rowCount, before }
    await recordEntry(client, { action: 'audit-log.pruned', actor, at, data })
    return rowCount
  })
}

interface Prune extends Attribution {
  /** Ms since the epoch. */
  readonly before: number
}

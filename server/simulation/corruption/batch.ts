import type { Database } from '../../store/database/database'
import { apply, type Case, isWritten } from './apply'
import { nameOf } from './cases'
import { type RunningServer, startOn } from './fixture'
import { harmless } from './harmless'
import { subjectsOf } from './victims'
import { call, queryResult, type Visit, visitAll } from './visitor'

// One copy of the database with some corrupted rows, and the outcome.

export interface CorruptionTarget {
  readonly url: string
  readonly database: Database
  readonly cookie: string
}

export interface BatchOptions {
  /** The server is stopped while the rows are written, and starts afterwards. */
  readonly stopped: boolean
  readonly past: boolean
  /** Findings that exist without any corruption. */
  readonly known: ReadonlySet<string>
}

export type Outcome =
  | { readonly is: 'refused'; readonly by: string }
  /** `repaired`: one repair, planned and applied once, removes the finding from the next audit. */
  | { readonly is: 'found'; readonly kind: string; readonly repaired: boolean }
  /** The next writer rewrote the whole row: a survey, an audit, the relay. */
  | { readonly is: 'rewritten' }
  | { readonly is: 'harmless'; readonly why: string }
  | { readonly is: 'unexplained' }

export interface BatchReport {
  readonly outcomes: readonly { readonly case: Case; readonly outcome: Outcome }[]
  /** Violations that no bad row may cause. */
  readonly broken: readonly string[]
}

export async function runBatch(
  cases: readonly Case[],
  target: CorruptionTarget,
  options: BatchOptions,
): Promise<BatchReport> {
  const { database } = target
  const broken: string[] = []
  const before = await heldNow(database)
  let running: RunningServer | null = options.stopped ? null : await startOn(target.url, target.cookie)
  const refused = new Map<Case, string>()
  try {
    for (const each of cases) {
      const applied = await apply(database, each, options.past)
      if (!applied.ok) refused.set(each, applied.refusedBy)
    }
    const written = cases.filter((each) => !refused.has(each))
    const explained = cases.map((each) => ({ case: each, outcome: refusedBy(refused.get(each)) }))
    if (written.length === 0) return { outcomes: explained, broken }
    running ??= await startOn(target.url, target.cookie).catch((error: Error) => {
      broken.push(`the server does not start: ${error.message.slice(0, 300)}`)
      return null
    })
    if (running === null) return { outcomes: explained, broken }
    const findings = await visitAndAudit(running, { database, written, broken })
    const unlike = findings.filter(({ fingerprint }) => !options.known.has(fingerprint))
    const repaired = await repair(running, database, unlike).catch((error: Error) => {
      broken.push(error.message)
      return new Set<string>()
    })
    broken.push(...(await lostSince(database, before, written)))
    const outcomes: BatchReport['outcomes'][number][] = []
    for (const each of cases) {
      const outcome = outcomeOf(each, refused.get(each), { unlike, repaired, written })
      const isRewritten = outcome.is === 'unexplained' && !(await isWritten(database, each))
      outcomes.push({ case: each, outcome: isRewritten ? { is: 'rewritten' } : outcome })
    }
    return { outcomes, broken }
  } finally {
    await running?.berth.stop().catch((error: unknown) => broken.push(`the server does not stop: ${String(error)}`))
  }
}

const refusedBy = (by: string | undefined): Outcome =>
  by === undefined ? { is: 'unexplained' } : { is: 'refused', by }

interface CaseCheck {
  readonly database: Database
  readonly written: readonly Case[]
  readonly broken: string[]
}

async function visitAndAudit(
  { visitor }: RunningServer,
  { database, written, broken }: CaseCheck,
): Promise<readonly Finding[]> {
  const subjects = await subjectsOf(
    database,
    written.map(({ victim }) => victim),
  )
  const failed = (visits: readonly Visit[]) => {
    for (const { what, status, body } of visits) {
      if (status >= 500) broken.push(`${what.slice(0, 120)} answered ${status}: ${body.slice(0, 200)}`)
    }
  }
  failed(await visitAll(visitor, subjects))
  const audit = await call(visitor, 'finding.audit').then(
    () => null,
    (error: Error) => error.message,
  )
  // If the corrupted row is the visitor's session, the request is refused.
  if (audit !== null && !/ 40[13]:/.test(audit)) broken.push(audit)
  failed(await visitAll(visitor, subjects))
  return readFindings(database)
}

interface Finding {
  readonly id: string
  readonly fingerprint: string
  readonly repairable: boolean
  readonly kind: string
  readonly text: string
}

export async function readFindings({ pool }: Database): Promise<readonly Finding[]> {
  const { rows } = await pool.query<Finding>(
    `select id, fingerprint, kind, body::text as text,
      body -> 'of' -> 'instead' = 'null' and body -> 'of' -> 'locked' = 'null' as repairable
    from finding where closed_at is null`,
  )
  return rows
}

/**
 * Plans and applies one repair for up to `MAX_PLANNED_REPAIRS` repairable findings; returns the fingerprints that the next
 * audit no longer finds.
 */
async function repair(
  { visitor }: RunningServer,
  database: Database,
  findings: readonly Finding[],
): Promise<ReadonlySet<string>> {
  const offered = findings.filter(({ repairable }) => repairable).slice(0, MAX_PLANNED_REPAIRS)
  if (offered.length === 0) return new Set()
  const reason = 'corruption generator'
  // If the corrupted row is the visitor's session, nothing is repaired.
  const plan = (await call(visitor, 'heal.plan', { findings: offered.map(({ id }) => id) }).catch((error: Error) => {
    if (!/ 40[13]:/.test(error.message)) throw error
    return null
  })) as { plan: string } | null
  if (plan === null) return new Set()
  const { part } = (await queryResult(visitor, 'heal.byId', { id: plan.plan })) as {
    part: { n: number; locked: unknown }[]
  }
  const parts = part.flatMap(({ n, locked }) => (locked === null ? [n] : []))
  if (parts.length > 0) await call(visitor, 'heal.applyParts', { id: plan.plan, parts, reason })
  await call(visitor, 'finding.audit')
  const left = new Set((await readFindings(database)).map(({ fingerprint }) => fingerprint))
  return new Set(findings.flatMap(({ fingerprint }) => (left.has(fingerprint) ? [] : [fingerprint])))
}

const MAX_PLANNED_REPAIRS = 200

interface AuditResult {
  readonly unlike: readonly Finding[]
  readonly repaired: ReadonlySet<string>
  readonly written: readonly Case[]
}

const names = ({ kind, text }: Finding, { table, column }: Case): boolean =>
  kind === 'unreadable-record' &&
  text.includes(`"record": "${table.name} `) &&
  // A check on several columns names all of them.
  (/"column": "([^"]*)"/.exec(text)?.[1] ?? '').split(', ').includes(column.name)

function outcomeOf(each: Case, refusal: string | undefined, { unlike, repaired, written }: AuditResult): Outcome {
  if (refusal !== undefined) return { is: 'refused', by: refusal }
  const ids = Object.values(each.victim.row).filter(
    (value): value is string => typeof value === 'string' && UUID.test(value),
  )
  // A finding about another corrupted row may name the same host; it does not count for this row.
  const found =
    unlike.find((finding) => names(finding, each)) ??
    unlike.find(
      (finding) =>
        ids.some((id) => finding.text.includes(id)) &&
        !written.some((other) => other !== each && names(finding, other)),
    )
  if (found) return { is: 'found', kind: found.kind, repaired: repaired.has(found.fingerprint) }
  const why = harmless(each)
  return why === null ? { is: 'unexplained' } : { is: 'harmless', why }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/

interface HeldNow {
  /** Instance and host, by claim id. */
  readonly claims: ReadonlyMap<string, string>
  readonly guests: ReadonlySet<string>
}

/** All claims, with instance and host, and the domains on simulated hypervisors. */
async function heldNow({ pool }: Database): Promise<HeldNow> {
  const { rows } = await pool.query<{ claims: Record<string, string> | null; guests: string[] | null }>(
    `select (select jsonb_object_agg(id, concat(instance_id, ' on ', host_id)) from claim) as claims,
      (select array_agg(key::text) from simulator_record where kind = 'guest') as guests`,
  )
  return { claims: new Map(Object.entries(rows[0]?.claims ?? {})), guests: new Set(rows[0]?.guests ?? []) }
}

/** A claim is not lost if the same instance has another claim on the same host. */
async function lostSince(database: Database, before: HeldNow, written: readonly Case[]): Promise<readonly string[]> {
  const now = await heldNow(database)
  const mine = (table: string) =>
    written.flatMap(({ victim }) => (victim.table.name === table ? Object.values(victim.row).map(String) : []))
  const places = new Set(now.claims.values())
  const stays = renamer(written)
  const claims = [...before.claims].filter(
    ([id, place]) => !now.claims.has(id) && !places.has(stays(place)) && !mine('claim').includes(id),
  )
  const instances = [...before.guests].filter((id) => !now.guests.has(id) && !mine('simulator_record').includes(id))
  return [
    ...claims.map(([id, place]) => `lost claims: ${id}, ${place}`),
    ...instances.map((id) => `lost domains: ${id}`),
  ]
}

/** Foreign keys cascade a changed row id, so its claims appear under the new id. */
function renamer(written: readonly Case[]): (place: string) => string {
  const keys = written.flatMap(({ column, value, victim }) => {
    const was = victim.row[column.name]
    return column.isKey && typeof was === 'string' && value !== null ? [{ was, value }] : []
  })
  return (place) => keys.reduce((text, { was, value }) => text.replaceAll(was, value), place)
}

export const namesOf = (cases: readonly Case[]): string => cases.map(nameOf).join('; ')

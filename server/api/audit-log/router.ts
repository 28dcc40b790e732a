import { AUDIT_LOG_LIST, type AuditOutcome } from '@/lists/audit-log'
import { type AuditLogRow, listAuditLog, readSealed, type SealedState, timeFrom } from '../../store/audit-log/list'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import { subjectIn, textIn } from '../names/subject'
import type { Ms, Page } from '../plain'
import { listed, object } from '../procedure/inputs'
import { router, support } from '../procedure/procedure'
import { refuse } from '../refusal/refused'

// The audit log: every write, sign-in and refusal, with user, role, address and reason.

export interface AuditLogEntry {
  readonly id: string
  readonly at: Ms
  readonly action: string
  /** For a refusal, the requested procedure, such as `migrate.start`. */
  readonly procedure: string | null
  readonly outcome: AuditOutcome
  readonly who: string
  /** Null for the server's own actions, and for Placement clients. */
  readonly role: string | null
  readonly credential: string | null
  readonly address: string | null
  readonly instance: Ref | null
  readonly hosts: readonly Ref[]
  readonly migration: string | null
  /** Its object if that is neither an instance nor a host, such as a flavor or a user. */
  readonly subject: string | null
  readonly reason: string | null
  readonly request: string | null
  readonly data: Readonly<Record<string, unknown>>
}

const listInput = object(listed(AUDIT_LOG_LIST))

export const auditLogRouter = router({
  list: support.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<AuditLogEntry>> => {
    const { services } = ctx
    const seq = String(services.feed.head)
    const { where = [], order = [], offset, limit, dir } = input
    const rest = where.flatMap(({ key, ...each }) => (key === 'after' || key === 'before' ? [] : [{ key, ...each }]))
    const search = {
      ...{ where: rest, after: timeOf(where, 'after'), before: timeOf(where, 'before'), offset, limit },
      oldestFirst: (order[0]?.dir ?? dir) === 'asc',
    }
    const { rows, total } = await services.past.read((database) => listAuditLog(database, search))
    const names = await namesOf(
      services,
      rows.flatMap(({ instance }) => instance ?? []),
    )
    return { rows: rows.map((row) => entryView(row, names)), total, seq }
  }),

  sealed: support.query(({ ctx }): Promise<SealedState> => readSealed(ctx.services.database)),
})

type Conditions = NonNullable<(typeof listInput)['_output']['where']>

function timeOf(where: Conditions, key: 'after' | 'before'): Ms | null {
  const conditions = where.filter((condition) => condition.key === key)
  if (conditions.length === 0) return null
  const texts = conditions.flatMap(({ any }) => any)
  const at = timeFrom(texts[0] ?? '')
  if (at !== null && texts.length === 1 && !conditions.some(({ not }) => not)) return at
  const need = `one time in UTC, such as 2026-11-25 or 2026-11-25T14:30`
  return refuse('bad-input', { ...ABOUT, need, have: `${key}:${texts.join(',')}` })
}

const ABOUT = { what: 'Search the audit log', where: 'filter', next: 'Correct the time in the filter.' }

function entryView(row: AuditLogRow, names: Names): AuditLogEntry {
  const { id, at, action, who, reason, request, data, migration, refused } = row
  return {
    ...{ id, at, action, who, reason, request, data, migration },
    outcome: refused ? 'refused' : 'done',
    procedure: textIn(data, 'procedure'),
    role: textIn(row.origin, 'role'),
    credential: textIn(row.origin, 'credential'),
    address: textIn(row.origin, 'address'),
    instance: row.instance === null ? null : names.instance(row.instance),
    hosts: [...new Set(row.hosts)].map((host) => names.host(host)),
    subject: subjectIn(data),
  }
}

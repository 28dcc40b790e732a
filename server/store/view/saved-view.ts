import type { Attribution } from '../../engine/change'
import type { Database } from '../database/database'

// Saved lists. Each write adds its entry to the audit log, in the same statement.

export interface SavedViewRow {
  readonly id: string
  readonly owner: string
  readonly ownerName: string
  readonly name: string
  readonly path: string
  readonly query: string
  readonly shared: boolean
}

export type NewView = Omit<SavedViewRow, 'ownerName'>

const COLUMNS = `v.id, v.owner_id as owner, u.name as "ownerName", v.name, v.path, v.query, v.shared`

/** The views in the menu of a page: the user's own first, then shared ones. */
export async function listViews(
  { pool }: Database,
  { owner, path }: { readonly owner: string; readonly path: string },
): Promise<SavedViewRow[]> {
  const { rows } = await pool.query<SavedViewRow>({
    name: 'saved-views',
    text: `select ${COLUMNS} from saved_view v join auth_user u on u.id = v.owner_id
           where v.path = $2 and (v.owner_id = $1 or v.shared) order by v.owner_id <> $1, lower(v.name), v.id`,
    values: [owner, path],
  })
  return rows
}

export async function readView({ pool }: Database, id: string): Promise<SavedViewRow | null> {
  const { rows } = await pool.query<SavedViewRow>(
    `select ${COLUMNS} from saved_view v join auth_user u on u.id = v.owner_id where v.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

export async function countViews({ pool }: Database, owner: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from saved_view where owner_id = $1', [
    owner,
  ])
  return rows[0]?.n ?? 0
}

const AUDIT = (action: string) => `insert into audit_entry (at, who, request, reason, origin, action, hosts, data)
  select $1, $2, $3, $4, $5::jsonb, '${action}', '{}', jsonb_build_object('id', id, 'name', name, 'path', path, 'query', query,
    'shared', shared) from done`

const attributionOf = ({ actor: { who, request, reason, origin }, at }: Attribution) => [
  ...[new Date(at), who, request, reason],
  origin ? JSON.stringify(origin) : null,
]

/** Replaces a view of the same owner, page and name. Returns its id. */
export async function saveView({ pool }: Database, view: NewView, attribution: Attribution): Promise<string> {
  const { id, owner, name, path, query, shared } = view
  const { rows } = await pool.query<{ id: string }>(
    `with done as (
       insert into saved_view (id, owner_id, name, path, query, shared, created_at, updated_at)
       values ($6, $7, $8, $9, $10, $11, $1, $1)
       on conflict (owner_id, path, name) do update set query = excluded.query, shared = excluded.shared, updated_at = $1
       returning *), audited as (${AUDIT('view.saved')})
     select id from done`,
    [...attributionOf(attribution), id, owner, name, path, query, shared],
  )
  return rows[0]?.id ?? id
}

/** False when the view no longer exists. */
export async function removeView({ pool }: Database, id: string, attribution: Attribution): Promise<boolean> {
  const { rows } = await pool.query(
    `with done as (delete from saved_view where id = $6 returning *), audited as (${AUDIT('view.removed')})
     select id from done`,
    [...attributionOf(attribution), id],
  )
  return rows.length > 0
}

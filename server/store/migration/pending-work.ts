import type { HostId, InstanceId } from '../../engine/words/ids'
import { isCheckViolation } from '../database/check-violation'
import type { Database } from '../database/database'

// Work that a conductor polls besides due migrations (`lease.ts`), and leases that it releases when it stops.

/** Instances that are being built or deleted, or have a power request; oldest change first. */
export async function readInstancesInTransit({ pool }: Database, limit: number): Promise<InstanceId[]> {
  const { rows } = await pool.query<{ id: InstanceId }>({
    name: 'instances-in-transit',
    text: `select id from instance where vm_state in ('building', 'deleting')
        or (power_request is not null and power_request ->> 'failed' is null) order by updated_at, id limit $1`,
    values: [limit],
  })
  return rows.map(({ id }) => id)
}

/** Hosts that are up again and still have leftovers of migrations or deletions that ended without them. */
export async function readHostsToClean({ pool }: Database, limit: number): Promise<HostId[]> {
  const { rows } = await pool.query<{ id: HostId }>({
    name: 'hosts-to-clean',
    text: `select h.id from host h where h.status = 'up' and (h.scheduling = 'quarantined'
        or exists (select 1 from host_remain r where r.host_id = h.id)) order by h.id limit $1`,
    values: [limit],
  })
  return rows.map(({ id }) => id)
}

/** The first time after `now` at which a migration falls due or the lease of a due one runs out; null when none will. */
export async function readNextDueAfter({ pool }: Database, now: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>({
    name: 'next-due-after',
    text: `select least(
        (select min(next_at) from migration where outcome is null and next_at > $1 and isfinite(next_at)),
        (select min(lease_until) from migration
          where outcome is null and next_at <= $1 and lease_holds(lease_until, $1) and isfinite(lease_until))) as at`,
    values: [new Date(now)],
  })
  return rows[0]?.at?.getTime() ?? null
}

/** Releases every lease of a stopping owner, so that no server waits for their expiry. Fences stay raised. */
export async function releaseLeases({ pool }: Database, owner: string): Promise<void> {
  const release = (id: string | null) =>
    pool.query(
      `update migration set lease_owner = null, lease_until = null
       where id in (select id from migration
         where lease_owner = $1 and outcome is null and ($2::uuid is null or id = $2) order by id for no key update)`,
      [owner, id],
    )
  const skipped = (error: unknown) => {
    if (!isCheckViolation(error)) throw error
    return null
  }
  if ((await release(null).catch(skipped)) !== null) return
  const { rows } = await pool.query<{ id: string }>('select id from migration where lease_owner = $1', [owner])
  // The lease of a row that violates a constraint of its table expires on its own.
  for (const { id } of rows) await release(id).catch(skipped)
}

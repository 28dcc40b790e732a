import { readClouds } from '../../store/cloud/cloud'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'

// Health of watched clouds, for views that cover the fleet and its clouds. Reads only their status.

export interface CloudHealth extends Ref {
  /** Critical findings. */
  readonly critical: number
  /** Why its last poll failed; null if it did not. */
  readonly error: string | null
  /** The last poll that read everything; null before the first. */
  readonly reachedAt: Ms | null
}

/** Omits clouds that are not watched, because their findings are old. */
export async function cloudHealth({
  clouds,
  database,
}: Pick<ApiServices, 'clouds' | 'database'>): Promise<readonly CloudHealth[]> {
  const rows = (await readClouds(database)).filter(({ enabled }) => enabled)
  if (rows.length === 0) return []
  const statuses = await clouds.statuses(rows.map(({ id }) => id))
  return rows.map(({ id, name }) => {
    const { counts = null, error = null, reachedAt = null } = statuses.get(id) ?? {}
    return { id, name, critical: counts?.critical ?? 0, error, reachedAt }
  })
}

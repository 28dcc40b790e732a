import { SEVERITIES, type Severity } from '../../engine/audit/kinds'
import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'

export interface FindingCount {
  readonly count: number
  /** Null when there is none. */
  readonly worst: Severity | null
}

export const NO_FINDINGS: FindingCount = { count: 0, worst: null }

/** Open findings by the host they are about; hosts without one are left out. */
export async function countFindings({ pool }: Database): Promise<ReadonlyMap<HostId, FindingCount>> {
  const { rows } = await pool.query<{ host: HostId; count: number; worst: number | null }>({
    name: 'findings-by-host',
    text: `select host_id as host, count(*)::int as count, min(array_position($1::text[], severity)) as worst
      from finding where closed_at is null and host_id is not null group by 1`,
    values: [SEVERITIES],
  })
  return new Map(rows.map(({ host, count, worst }) => [host, { count, worst: SEVERITIES[(worst ?? 0) - 1] ?? null }]))
}

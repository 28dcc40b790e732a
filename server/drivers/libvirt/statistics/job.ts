// libvirt's job statistics. Source: libvirt-domain.h, virDomainJobType, virDomainJobOperation, VIR_DOMAIN_JOB_*.

const JOB_TYPES = ['none', 'bounded', 'unbounded', 'completed', 'failed', 'cancelled'] as const
export type JobType = (typeof JOB_TYPES)[number] | 'unknown'

const JOB_OPERATIONS = [
  ...(['unknown', 'start', 'save', 'restore', 'migration-in', 'migration-out', 'snapshot', 'snapshot-revert'] as const),
  ...(['dump', 'backup', 'snapshot-delete'] as const),
]
export type JobOperation = (typeof JOB_OPERATIONS)[number]

/** A figure is null when libvirt does not report it: there is no job, or a daemon of this age has no such field. */
export interface JobStatistics {
  readonly type: JobType
  readonly operation: JobOperation
  readonly elapsedMs: number | null
  readonly memoryTotalBytes: number | null
  readonly memoryProcessedBytes: number | null
  readonly memoryRemainingBytes: number | null
  readonly memoryBytesPerS: number | null
  readonly dirtyPagesPerS: number | null
  readonly pageBytes: number | null
  readonly iteration: number | null
  readonly diskTotalBytes: number | null
  readonly diskRemainingBytes: number | null
  readonly downtimeMs: number | null
  readonly error: string | null
}

export type JobFields = Readonly<Record<string, number | string | boolean>>

export const figureOf = (fields: JobFields, name: string): number | null => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function jobStatistics(type: number, fields: JobFields): JobStatistics {
  const figure = (name: string) => figureOf(fields, name)
  return {
    type: JOB_TYPES[type] ?? 'unknown',
    operation: JOB_OPERATIONS[figure('operation') ?? 0] ?? 'unknown',
    elapsedMs: figure('time_elapsed'),
    memoryTotalBytes: figure('memory_total'),
    memoryProcessedBytes: figure('memory_processed'),
    memoryRemainingBytes: figure('memory_remaining'),
    memoryBytesPerS: figure('memory_bps'),
    dirtyPagesPerS: figure('memory_dirty_rate'),
    pageBytes: figure('memory_page_size'),
    iteration: figure('memory_iteration'),
    diskTotalBytes: figure('disk_total'),
    diskRemainingBytes: figure('disk_remaining'),
    downtimeMs: figure('downtime'),
    error: typeof fields.errmsg === 'string' ? fields.errmsg : null,
  }
}

/** A domain that is off has no job; libvirt refuses the query there. */
export const NO_JOB: JobStatistics = jobStatistics(0, {})

import type { FindingRow } from '@/server/api/finding/view'

/** An orphaned claim of four pinned CPUs on h-07. */
export const findingRow = (id: string, over: Partial<FindingRow> = {}): FindingRow => ({
  id,
  kind: 'orphan-claim',
  severity: 'warning',
  confidence: 'sure',
  host: { id: 'h', name: 'h-07' },
  instance: null,
  migration: null,
  where: null,
  expected: 'a known consumer',
  found: 'nobody',
  firstSeenAt: 0,
  lastSeenAt: 0,
  closedAt: null,
  held: { vcpus: 0, pinnedCpus: 4, memoryMib: 0, diskGib: 0, devices: 0 },
  locked: null,
  heal: { ok: true },
  foreign: null,
  ...over,
})

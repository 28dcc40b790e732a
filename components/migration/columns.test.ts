import { expect, it } from 'vitest'
import type { MigrationRow } from '@/server/api/migration/view'
import { csvOf } from '../ui/table/csv'
import { migrationColumns } from './columns'

const now = Date.UTC(2026, 10, 21, 1, 6, 56)
const source = { id: 'a', name: 'h-01' }
const target = { id: 'b', name: 'h-02' }
const MIB = 1024 * 1024

const migration = {
  ...{ id: 'm', instance: { id: 'i', name: 'web-1' }, operation: 'cold-migrate', source, target },
  ...{ step: 'verify', direction: 'target', home: 'source', handedOver: true, outcome: null },
  ...{ waiting: { for: 'person', since: now - 60_000 }, progress: null, permitted: {}, pace: null },
  requestedAction: {
    requestedAction: 'confirm',
    by: 'ada',
    reason: null,
    askedAt: now,
    acceptedAt: now,
    effectiveAt: null,
    refused: null,
  },
  ...{ startedAt: now - 120_000, stepSince: now - 60_000, endedAt: null, dueAt: now + 3_600_000 },
  heldTwice: { vcpus: 4, pinnedCpus: 4, memoryMib: 8192, diskGib: 0, devices: 0 },
  ...{ heldTwiceSince: now - 90_400, overdueAt: null },
} as unknown as MigrationRow

const all = [...migrationColumns.waiting, ...migrationColumns.flight, ...migrationColumns.history]
const exportOf = (id: string, row: MigrationRow) =>
  csvOf(all.filter((column) => column.id === id).slice(0, 1), { rows: [row], now }).split('\n')

const progress = {
  remainingBytes: 300 * MIB,
  totalBytes: 8192 * MIB,
  bandwidthBytesPerS: 120 * MIB,
  dirtyBytesPerS: 90 * MIB,
  postCopy: false,
}
const inTransfer = { ...migration, step: 'transfer', progress } as unknown as MigrationRow
const ended = { ...migration, outcome: 'completed', endedAt: now } as unknown as MigrationRow

const OVERDUE = '"Overdue, seconds","p95 of the step, seconds",Migrations in the baseline'

it.each([
  ['instance', migration, 'Migration,Instance,Instance id', 'm,web-1,i'],
  ['source', migration, 'From,From id', 'h-01,a'],
  ['target', migration, 'To,To id', 'h-02,b'],
  ['target', { ...migration, target: source }, 'To,To id', 'h-01,a'],
  ['step', migration, 'Step', 'verify'],
  ['step', ended, 'Step', 'completed'],
  ['waiting', migration, 'Waiting for', 'awaiting confirm or revert'],
  [
    'waiting',
    { ...migration, waiting: { for: 'slot', place: 3, since: now } },
    'Waiting for',
    'queued: position 3 in the queue',
  ],
  ['requested', migration, 'Requested action', '"confirm: requested, accepted"'],
  [
    ...['progress', inTransfer],
    '"Remaining, bytes","Total, bytes","Copied, bytes/s","Dirtied, bytes/s",Transfer state',
    `${300 * MIB},${8192 * MIB},${120 * MIB},${90 * MIB},`,
  ],
  [
    ...['twice', migration],
    'Held on both hosts: vCPUs,Held on both hosts: pinned CPUs,"Held on both hosts: memory, MiB","Held on both hosts: disk, GiB",Held on both hosts: devices',
    '4,4,8192,0,0',
  ],
  ['twiceFor', migration, '"Held for, seconds"', '90'],
  ['twiceFor', { ...migration, heldTwiceSince: null }, '"Held for, seconds"', ''],
  ['took', ended, '"Took, seconds"', '120'],
  ['started', migration, 'Started', '2026-11-21T01:04:56.000Z'],
  ['ended', ended, 'Ended', '2026-11-21T01:06:56.000Z'],
  ['due', migration, 'Due', '2026-11-21T02:06:56.000Z'],
  ['overdue', migration, OVERDUE, ',,'],
  ['overdue', { ...migration, overdueAt: now - 200_000 }, OVERDUE, '200,,'],
  ['overdue', { ...migration, pace: { p95Ms: 60_400, samples: 7 } }, OVERDUE, ',60,7'],
] as unknown as readonly [string, MigrationRow, string, string][])(
  'a migration is exported for spreadsheets: %s',
  (id, row, head, text) => {
    expect(exportOf(id, row)).toEqual([head, text])
  },
)

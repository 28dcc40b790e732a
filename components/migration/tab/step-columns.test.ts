import { expect, test } from 'vitest'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { stepColumns, stepRows } from './step-columns'

type Steps = Pick<MigrationDetail, 'steps' | 'waiting'>

const step = { direction: 'target', startedAt: 0, pace: null, note: null } as const
const steps = (waiting: MigrationDetail['waiting']): Steps => ({
  steps: [
    { ...step, seq: 1, step: 'switch', endedAt: 1, result: 'done' },
    { ...step, seq: 2, step: 'verify', endedAt: null, result: null },
  ] as unknown as Steps['steps'],
  waiting,
})
const result = stepColumns.find(({ id }) => id === 'result')

test.each([
  ['runs', null, 'running'],
  ['awaits confirm or revert', { for: 'person', since: 0 }, 'waiting'],
  ['is blocked by its records', { for: 'repair', law: 'L1', why: 'two hosts', since: 0 }, 'blocked'],
] as const)('the last step of a migration that %s says so', (_what, waiting, label) => {
  const rows = stepRows(steps(waiting as MigrationDetail['waiting']))
  expect(rows.map((row) => result?.value?.(row))).toEqual(['done', label])
})

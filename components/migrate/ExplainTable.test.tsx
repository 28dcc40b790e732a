import { cleanup, render, screen } from '@testing-library/react'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { afterEach, expect, it } from 'vitest'
import type { MigrationVerdictsView, VerdictSummary } from '@/server/api/explain/verdicts'
import { ExplainTable } from './ExplainTable'

const host = (name: string, zone: string, over: Partial<VerdictSummary> = {}): VerdictSummary => ({
  ...{ host: { id: name, name }, zone, status: 'up', scheduling: 'enabled', verdict: 'ok', rank: 1, changes: 0 },
  ...{ isSource: false, silence: null, storage: null, reasons: [] },
  standing: { members: null, fullMilli: 431, claims: 13, broken: null },
  free: { vcpus: 40, pinnedCpus: 7, memoryMib: 2048, diskGib: 9, devices: null, hugePages: [] },
  ...over,
})
const PART = { hosts: 0, causes: [] }
const view = (pinnedCpus: number): MigrationVerdictsView => ({
  permit: { ok: true },
  demand: { vcpus: 2, pinnedCpus, memoryMib: 1024, diskGib: 1, devices: 0 },
  counts: { ok: 2, warning: 0, refused: 0 },
  summary: { fixable: PART, unfixable: PART },
  ...{ policy: 'spread', hosts: [host('std-01', 'az1'), host('gpu-01', 'az2')], tookMs: 1, seq: '1' },
})
const NO_FILTER = { verdict: null, find: null }
const table = (of: MigrationVerdictsView | undefined, filter: { verdict: null; find: string | null } = NO_FILTER) => (
  <NuqsTestingAdapter>
    <ExplainTable view={of} filter={filter} onFilter={() => {}} picked={null} onPick={() => {}} />
  </NuqsTestingAdapter>
)
const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)

afterEach(cleanup)

it('the table shows free CPUs of the kind that the instance needs, once known', () => {
  const { rerender } = render(table(undefined))
  rerender(table(view(0)))
  expect(heads()).toContain('vCPUs free')
  expect(heads()).not.toContain('Pinned free')
  rerender(table(view(2)))
  expect(heads()).toContain('Pinned free')
  expect(heads()).not.toContain('vCPUs free')
})

it('a host that fits and does not answer is a warning, in its row and in the count of the filter', () => {
  const { hosts, ...rest } = view(2)
  render(table({ ...rest, hosts: [...hosts, host('std-07', 'az1', { rank: 3, silence: { since: null } })] }))
  expect(screen.getByRole('row', { name: /std-07/ }).textContent).toMatch(/warning.*has never answered, ranked last/)
  const choices = screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
  expect(choices).toEqual(['All 3', 'ok 2', 'warning 1', 'refused 0'])
})

it('the table explains the rank of a host that fits, and finds hosts by name or zone', () => {
  const { rerender } = render(table(view(2)))
  expect(screen.getAllByText('43.1 % full with it, 13 claims')).toHaveLength(2)
  rerender(table(view(2), { verdict: null, find: 'AZ2' }))
  expect(screen.queryByText('std-01')).toBeNull()
  expect(screen.getByText('gpu-01')).toBeTruthy()
})

import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { MigrationVerdictsView } from '@/server/api/explain/verdicts'
import { show } from '../console/testing/show'
import { ExplainPane, type ExplainPaneProps } from './ExplainPane'
import type { ExplainFilter } from './ExplainTable'

const INPUT = { for: 'migrate', instance: 'web-1', operation: 'live-migrate' } as const
const PART = { hosts: 0, causes: [] }
const FREE = { vcpus: 40, pinnedCpus: 7, memoryMib: 2048, diskGib: 9, devices: null, hugePages: [] }
const HOST = { id: 'h', name: 'h-07' }
/** Of an instance without pinned CPUs, whose columns differ from those shown before the verdicts. */
const VIEW: MigrationVerdictsView = {
  ...{ permit: { ok: true }, policy: 'spread', hosts: [], tookMs: 1, seq: '1' },
  demand: { vcpus: 2, pinnedCpus: 0, memoryMib: 1024, diskGib: 1, devices: 0 },
  counts: { ok: 0, warning: 0, refused: 0 },
  summary: { fixable: PART, unfixable: PART },
}
const PLAN = {
  verdict: {
    ...{ host: HOST, zone: null, status: 'up', scheduling: 'enabled', verdict: 'ok', rank: 1, standing: null },
    ...{ changes: 0, free: FREE, isSource: false, storage: null, refusals: [], warnings: [] },
  },
  ...{ mapping: null, silence: null, estimate: null },
  transfer: {
    ...{ target: 'h', diskBytes: 0, memoryBytes: 1024, dirtyBytesPerS: null, bandwidthBytesPerS: null },
    ...{ maxDowntimeMs: 300, durationMs: null, downtimeMs: null, converges: null, memoryFrom: 'flavor' },
    ...{ measuredAt: null, bandwidthFrom: null, downtimeFrom: 'hypervisor' },
  },
}

type Query = ExplainPaneProps['query']
const query = (data: Query['data'], error: unknown = null): Query => ({ data, error, refetch: () => {} })
const LOADING = query(undefined)
const FAILED = query(undefined, new Error('offline'))

/** The pane before the verdicts, with a host picked, and a function that changes its query. */
function shown(more: Readonly<Record<string, unknown>> = {}) {
  let change = (_query: Query) => {}
  function Pane() {
    const [asked, setAsked] = useState(LOADING)
    const [filter, setFilter] = useState<ExplainFilter>({ verdict: null, find: null })
    change = setAsked
    const onFilter = (part: Partial<ExplainFilter>) => setFilter((old) => ({ ...old, ...part }))
    return <ExplainPane input={INPUT} query={asked} missing="" {...{ filter, onFilter }} picked="h" onPick={() => {}} />
  }
  const { queries } = show(<Pane />, { 'migrate.plan': PLAN, 'host.kinds': {}, ...more })
  return { change: (next: Query) => act(() => change(next)), queries }
}

afterEach(cleanup)

it.each<[string, readonly Query[]]>([
  ['the verdicts arrive', [query(VIEW)]],
  ['the first query fails, and another one succeeds', [FAILED, LOADING, query(VIEW)]],
  ['a refresh fails', [query(VIEW), query(VIEW, new Error('offline')), query(VIEW)]],
])('the filter keeps its text and the focus, and a measurement goes on, when %s', async (_case, queries) => {
  const { change } = shown()
  await userEvent.click(await screen.findByRole('button', { name: 'Measure memory' }))
  const find = screen.getByRole('searchbox')
  await userEvent.type(find, 'az1')
  for (const next of queries) {
    change(next)
    expect(screen.getByRole('searchbox')).toBe(find)
    expect(find).toHaveProperty('value', 'az1')
    expect(document.activeElement).toBe(find)
    expect(screen.getByRole('button', { name: 'Measure memory' }).getAttribute('aria-disabled')).toBe('true')
  }
})

it('a failed first query says so where the hosts would be', async () => {
  const { change } = shown()
  expect(screen.getByText('Checking every host.')).toBeTruthy()
  change(FAILED)
  expect(screen.getByText('Could not load verdicts')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.queryByText('Checking every host.')).toBeNull()
})

it('a failed measurement still says so after an answer without an estimate', async () => {
  let fail = (_why: unknown) => {}
  const { queries } = shown({ 'migrate.measureMemory': new Promise((_done, reject) => (fail = reject)) })
  await userEvent.click(await screen.findByRole('button', { name: 'Measure memory' }))
  act(() => fail(new Error('no answer')))
  expect(await screen.findByText('The measurement failed')).toBeTruthy()
  const PLANS = { queryKey: [['migrate', 'plan']] }
  act(() => void queries.setQueriesData(PLANS, { ...PLAN, transfer: null }))
  await vi.waitFor(() => expect(screen.queryByText('The measurement failed')).toBeNull())
  act(() => void queries.setQueriesData(PLANS, PLAN))
  expect(await screen.findByText('The measurement failed')).toBeTruthy()
})

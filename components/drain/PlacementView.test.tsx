import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { PlannedMigration, RunDetail } from '@/server/api/run/view'
import { Blockers } from './Blockers'
import { consequenceLines } from './consequences'
import { PlacementView } from './PlacementView'
import { plannedMigration, ref } from './testing/planned-migration'

const held = { vcpus: 4, pinnedCpus: 0, memoryMib: 2048, diskGib: 0, devices: 0 }
const migration = (n: number, over: Partial<PlannedMigration> = {}) =>
  plannedMigration(n, {
    ...{ instance: ref(`web-${n}`), from: ref('h-07'), to: ref('h-08'), held, why: 'it fits there' },
    ...over,
  })
const capacity = { pcpu: 0, vcpu: 16, memoryMib: 8192 }
const run: Pick<RunDetail, 'placement' | 'migrations' | 'host'> = {
  host: ref('h-07'),
  migrations: [migration(1), migration(2, { method: 'cold-migrate', wave: 2 })],
  placement: [
    { host: ref('h-07'), capacity, guests: [1, 2].map((n) => ({ instance: ref(`web-${n}`), held })) },
    { host: ref('h-08'), capacity, guests: [] },
  ],
}

const show = (searchParams = '') =>
  render(<PlacementView run={run} />, { wrapper: withNuqsTestingAdapter({ searchParams, hasMemory: true }) })
const instancesOf = (host: string) =>
  within(screen.getByRole('list', { name: host }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

afterEach(cleanup)

describe('the placement view on the screen', () => {
  it('starts before the first migration and shows which instance migrates next', () => {
    show()
    expect(screen.getByText('Before the first migration')).toBeTruthy()
    expect(instancesOf('h-07')).toEqual(['web-14migrates next', 'web-24'])
    expect(instancesOf('h-08')).toEqual(['empty'])
  })

  it('steps by button and by key, and describes each step', async () => {
    show()
    await userEvent.click(screen.getByRole('button', { name: 'Step' }))
    expect(screen.getByText('Step 1 of 2')).toBeTruthy()
    expect(screen.getByText(/web-1: h-07 to h-08, live\. it fits there/)).toBeTruthy()
    expect(instancesOf('h-08')).toEqual(['web-14just migrated'])
    await userEvent.keyboard('{ArrowRight}')
    expect(instancesOf('h-07')).toEqual(['empty'])
    await userEvent.keyboard('{Home}')
    expect(screen.getByText('Before the first migration')).toBeTruthy()
  })

  it('opens at the step in the address, and has a table with the same content', () => {
    show('?step=2&as=table')
    expect(screen.getByRole('row', { name: /h-08.*8.*16.*4 GiB of 8 GiB.*web-1, web-2/ })).toBeTruthy()
  })
})

describe('the preview of a drain', () => {
  it('counts instances by migration method', () => {
    const migrations = [
      ...run.migrations,
      migration(3, { to: null, method: null, state: 'blocked' }),
      migration(4, { helper: true }),
    ]
    expect(consequenceLines(migrations)).toEqual([
      '1 instance will be live-migrated and keep running.',
      '1 instance will be cold-migrated: stopped, moved, started.',
      '1 instance will stay on the host: there is no valid host.',
      '1 instance on other hosts will migrate first to make room.',
    ])
  })

  it('shows instances without a valid host, the proof, and the smallest change', () => {
    const blocker = {
      instance: ref('db-1'),
      why: 'no valid host has 8 whole cores',
      rule: 'cpus',
      smallestChange: '4 more whole cores on any host',
      refusing: null,
      proof: 'exhaustive' as const,
    }
    render(<Blockers blockers={[blocker]} migrations={[]} />)
    expect(screen.getByRole('heading', { name: '1 instance without a valid host' })).toBeTruthy()
    expect(screen.getByText('4 more whole cores on any host')).toBeTruthy()
    expect(screen.getByText(/no order of migrations works/)).toBeTruthy()
  })
})

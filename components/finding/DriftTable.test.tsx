import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { DriftRow } from '@/server/api/drift/instances'
import { DriftTable } from './DriftTable'

const row = (name: string, over: Partial<DriftRow>): DriftRow => ({
  instance: { id: name, name },
  records: 'active on h-07',
  allocations: '4 CPUs on h-07',
  hypervisor: 'runs on h-07',
  recordsAt: 0,
  hypervisorAt: 0,
  agreement: 'agree',
  findings: [],
  ...over,
})

afterEach(cleanup)

it('the drift table distinguishes agreement, difference and missing data in words', () => {
  const silent = { agreement: 'unknown', hypervisor: 'the host did not answer on h-07', hypervisorAt: null } as const
  render(
    <DriftTable
      rows={[
        row('web-1', {}),
        row('web-2', { agreement: 'differ', hypervisor: 'runs on h-08', findings: ['f'] }),
        row('web-3', silent),
        row('web-4', { ...silent, agreement: 'found', findings: ['f'] }),
      ]}
    />,
  )
  expect(screen.getByRole('row', { name: /web-1 agree/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /web-2 differ.*runs on h-08/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /web-3 unknown.*the host did not answer/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /web-4 finding/ })).toBeTruthy()
})

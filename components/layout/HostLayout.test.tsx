import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { LayoutPlanView } from '@/server/api/layout/view'
import { HostLayout } from './HostLayout'

const vcpu = (total: number, used: number) => ({
  ...{ resourceClass: 'PCPU', total, reserved: 0, used },
  ...{ allocationRatio: 1, capacity: total },
})
const plan: LayoutPlanView = {
  host: { id: 'h', name: 'h-07' },
  state: 'planned',
  blockedBy: null,
  before: { name: 'h-07', is: 'root', inventories: [vcpu(8, 4)], children: [] },
  after: {
    name: 'h-07',
    is: 'root',
    inventories: [],
    children: [
      { name: 'h-07_NUMA0', is: 'cell', inventories: [vcpu(4, 4)], children: [] },
      { name: 'h-07_NUMA1', is: 'cell', inventories: [vcpu(4, 0)], children: [] },
    ],
  },
  lines: [{ sign: '~', what: 'PCPU of web-1', before: 'h-07', after: 'h-07_NUMA0', why: 'its pins are on cell 0' }],
  movedAllocations: 1,
  permit: { ok: true },
}

afterEach(cleanup)

describe('the layout of a host', () => {
  it('shows both trees with the inventory of each provider, and the lines between them', () => {
    render(<HostLayout plan={plan} action={null} />)
    const before = screen.getByRole('table', { name: 'Providers, Now' })
    const after = screen.getByRole('table', { name: 'Providers, After' })
    expect(before.querySelectorAll('tbody tr')).toHaveLength(1)
    expect(after.querySelectorAll('tbody tr')).toHaveLength(3)
    expect(screen.getByText('its pins are on cell 0')).toBeTruthy()
  })

  it('shows what an overcommitted class holds against its capacity, with the ratio', () => {
    const vcpus = { resourceClass: 'VCPU', total: 24, reserved: 0, used: 77, allocationRatio: 4, capacity: 96 }
    render(<HostLayout plan={{ ...plan, before: { ...plan.before, inventories: [vcpus] } }} action={null} />)
    const row = screen.getByRole('table', { name: 'Providers, Now' }).querySelector('tbody tr')
    expect([...(row?.querySelectorAll('td') ?? [])].slice(1).map(({ textContent }) => textContent)).toEqual([
      ...['VCPU', '77 / 96', '24', '4', '0'],
    ])
  })

  it('says why a host stays flat, and that a flat host is supported', () => {
    render(
      <HostLayout plan={{ ...plan, state: 'blocked', blockedBy: 'web-2 has no pins', after: null }} action={null} />,
    )
    expect(screen.getByText(/web-2 has no pins\. It still accepts claims/)).toBeTruthy()
    expect(screen.getByText('No plan: the host stays as it is.')).toBeTruthy()
  })
})

import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FindingRow } from '@/server/api/finding/view'
import { show } from '../console/testing/show'
import { findingColumns } from './columns'
import { FindingRows } from './FindingRows'
import { findingRow } from './testing/finding-row'

function showRows(rows: readonly FindingRow[]) {
  const onSelect = vi.fn()
  const shown = show(
    <FindingRows
      columns={findingColumns}
      rows={rows}
      selected={new Set()}
      onSelect={onSelect}
      empty={<p>No discrepancies</p>}
    />,
  )
  return { ...shown, onSelect }
}

afterEach(cleanup)

describe('findings as rows', () => {
  it('show severity and what a repair would free, and link to the repair', async () => {
    const { mutations } = showRows([findingRow('a')])
    expect(
      screen.getByRole('row', { name: /warning.*orphaned claim.*h-07.*4 pinned CPUs.*Review repair/ }),
    ).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Review repair: orphaned claim, h-07' }))
    expect(mutations).toEqual([{ path: 'heal.plan', input: { findings: ['a'] } }])
  })

  it('list a locked finding with its reason and do not let it be selected', async () => {
    const { onSelect } = showRows([findingRow('a'), findingRow('b', { locked: 'web-1 is being moved' })])
    const box = screen.getByRole('checkbox', { name: /web-1 is being moved/ }) as HTMLInputElement
    expect(box.disabled).toBe(true)
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all rows shown' }))
    expect(onSelect).toHaveBeenLastCalledWith(new Set(['a']))
  })

  it('show why a finding without a repair has none', () => {
    showRows([findingRow('a', { kind: 'instance-runs-twice', heal: { ok: false, why: 'Rows cannot stop a guest.' } })])
    expect(screen.getByText('no repair').title).toBe('Rows cannot stop a guest.')
    expect(screen.queryByRole('button', { name: /^Review repair/ })).toBeNull()
  })

  it('open the evidence through the address', async () => {
    const { onUrlUpdate } = showRows([findingRow('a')])
    await userEvent.click(screen.getByRole('button', { name: /^Evidence: orphaned claim/ }))
    expect(onUrlUpdate.mock.calls[0]?.[0].searchParams.get('finding')).toBe('a')
  })
})

import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HealPlanDetail } from '@/server/api/heal/router'
import type { HealPartView } from '@/server/api/heal/view'
import { findingRow } from '../finding/testing/finding-row'
import { HealNotes } from './HealNotes'
import { HealReview } from './HealReview'

const host = { id: 'h', name: 'h-07' }
const held = { vcpus: 0, pinnedCpus: 4, memoryMib: 8192, diskGib: 0, devices: 0 }
const finding = findingRow('f', { held })
const part = (n: number, over: Partial<HealPartView> = {}): HealPartView => ({
  n,
  finding,
  title: `Give back what nobody holds, ${n}`,
  lines: [
    {
      sign: '-',
      row: 'allocation',
      host,
      what: 'PCPU of h-07 for nobody',
      before: '4',
      after: null,
      why: 'no such consumer',
      changed: false,
    },
  ],
  guards: ['h-07 generation 41'],
  givesBack: held,
  locked: null,
  state: 'open',
  appliedAt: null,
  conflict: null,
  ...over,
})
const plan = (over: Partial<HealPlanDetail> = {}): HealPlanDetail => ({
  id: 'p',
  state: 'draft',
  parts: 3,
  applied: 0,
  madeAt: 0,
  madeBy: 'ada',
  reason: null,
  undoOf: null,
  part: [part(1), part(2), part(3, { locked: 'web-1 is being moved' })],
  replacedBy: null,
  undoneBy: null,
  foreseen: null,
  verified: null,
  permitted: { apply: { ok: true }, undo: { ok: false, why: 'nothing was applied' } },
  asks: false,
  approval: null,
  ...over,
})

const inAddress = {
  wrapper: ({ children }: { children: ReactNode }) => <NuqsTestingAdapter>{children}</NuqsTestingAdapter>,
}

function review(of: HealPlanDetail) {
  const onApply = vi.fn()
  render(<HealReview plan={of} isPending={false} error={null} onApply={onApply} />, inAddress)
  return onApply
}

afterEach(cleanup)

describe('the review of a repair', () => {
  it('names each part by a heading below that of the page', () => {
    review(plan())
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toContain(part(1).title)
  })

  it('describes each line with its sign in words, its reason and its evidence', () => {
    review(plan())
    const lines = within(screen.getByRole('list', { name: 'Changes of part 1' }))
    expect(lines.getByText('removed')).toBeTruthy()
    expect(lines.getByText('no such consumer')).toBeTruthy()
    expect(screen.getAllByText('h-07 generation 41')).toHaveLength(3)
  })

  it('applies only the selected parts, and only with a reason', async () => {
    const onApply = review(plan())
    await userEvent.click(screen.getByRole('button', { name: 'Apply 2 parts' }))
    expect(onApply).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('checkbox', { name: /^Apply part 1/ }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'leak of last night')
    expect(screen.getByText(/Writes 1 row on 1 host\. Releases 4 pinned CPUs, 8 GiB\./)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Apply 1 part' }))
    expect(onApply).toHaveBeenCalledWith({ parts: [2], reason: 'leak of last night' })
  })

  it('lists a locked part with its reason and does not let it be selected', () => {
    review(plan())
    const box = screen.getByRole('checkbox', { name: /Apply part 3.*web-1 is being moved/ }) as HTMLInputElement
    expect(box.disabled).toBe(true)
    expect(box.checked).toBe(false)
  })

  it('says why it cannot be applied, and keeps the button', async () => {
    const why = 'An operator may do this; you are support.'
    const onApply = review(plan({ permitted: { apply: { ok: false, why }, undo: { ok: false, why } } }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'because')
    const button = screen.getByRole('button', { name: 'Apply 2 parts' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(button)
    expect(onApply).not.toHaveBeenCalled()
  })

  it('says before the click that it only requests an approval, and that this replaces an open request', () => {
    review(plan({ asks: true, approval: { state: 'open' } as never }))
    expect(screen.getByRole('button', { name: 'Request approval of 2 parts' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull()
    expect(screen.getByText(/A second person has to approve it first\. Replaces the open request\./)).toBeTruthy()
  })

  it('offers no apply when the plan was replaced, and links to the new one', () => {
    const changed = plan({
      state: 'changed',
      replacedBy: 'p-2',
      part: [part(1, { state: 'changed', conflict: 'h-07 is at 42' })],
    })
    review(changed)
    render(<HealNotes plan={changed} />)
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull()
    expect(screen.getByText(/h-07 is at 42/)).toBeTruthy()
    expect(screen.getByRole('link', { name: /Open the new plan/ }).getAttribute('href')).toBe('/heal/p-2')
  })

  it('marks the lines that changed since the previous plan', () => {
    const [line] = part(1).lines
    if (!line) throw new Error('the part has a line')
    const again = plan({ part: [part(1, { lines: [line, { ...line, changed: true }] })] })
    review(again)
    render(<HealNotes plan={again} />)
    expect(screen.getAllByText('differs from the previous plan')).toHaveLength(1)
    expect(screen.getByText(/^1 line differs/)).toBeTruthy()
  })
})

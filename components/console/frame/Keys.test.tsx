import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { FilterField } from '../../ui/filter/FilterField'
import { TestRouter } from '../testing/TestRouter'
import { Keys } from './Keys'
import { NAV_ENTRIES } from './nav-entries'

const push = vi.fn()

afterEach(() => {
  cleanup()
  push.mockClear()
})

/** `at`: ms since page load. */
function press(key: string, at: number): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true })
  Object.defineProperty(event, 'timeStamp', { value: at })
  document.body.dispatchEvent(event)
}

it.each(NAV_ENTRIES.map(({ letter, href }) => [letter, href]))(
  'g and %s go to %s, and the letter alone never does',
  (letter, href) => {
    render(
      <TestRouter push={push}>
        <Keys />
      </TestRouter>,
    )
    // The first keys on a page arrive when event timestamps are still near zero.
    for (const at of [1, 100, 1_199, 5_000]) press(letter, at)
    expect(push).not.toHaveBeenCalled()
    press('g', 6_000)
    press(letter, 6_500)
    expect(push.mock.calls).toEqual([[href]])
    press(letter, 6_600)
    press('g', 7_000)
    press(letter, 9_000)
    expect(push).toHaveBeenCalledTimes(1)
  },
)

it('Enter leaves a filter with nothing left to finish for the first row of its own list', async () => {
  const list = (id: string) => (
    <div>
      <FilterField label={id} value="" onChange={() => {}} keys={[]} />
      <table>
        <tbody>
          <tr data-row={0} tabIndex={0} id={`row-of-${id}`} />
        </tbody>
      </table>
    </div>
  )
  render(
    <TestRouter push={push}>
      <Keys />
      <main>
        {list('hosts')}
        {list('devices')}
      </main>
    </TestRouter>,
  )
  await userEvent.click(screen.getByRole('searchbox', { name: 'devices' }))
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement?.id).toBe('row-of-devices')
})

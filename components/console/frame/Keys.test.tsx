import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
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

import type { Page } from '@playwright/test'

/** Text that is wider than the box it is drawn in, so that a reader sees only its beginning. */
export interface Clipped {
  readonly text: string
  readonly shown: number
  readonly needed: number
}

/** What nobody can read whole: clipped, and without a tip that says the rest. */
export async function clippedOn(page: Page): Promise<readonly Clipped[]> {
  // One expression: a function with a name would be wrapped by the compiler in what the page does not have.
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => ['hidden', 'clip'].includes(getComputedStyle(element).overflowX))
      // What is one pixel wide is for screen readers alone.
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => element.closest('[title]') === null)
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
      )
      .map(({ innerText, clientWidth, scrollWidth }) => ({
        text: innerText.replace(/\s+/g, ' ').slice(0, 80),
        shown: clientWidth,
        needed: scrollWidth,
      })),
  )
}

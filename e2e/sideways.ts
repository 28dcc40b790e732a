import type { Page } from '@playwright/test'
import { expect } from './console'

// A page wider than its window hides content behind an unexpected scroll. A list keeps the columns that fit, so its own
// scroller has the same rule.

export interface Viewport {
  readonly width: number
  readonly height: number
}

/** A phone, a tablet, the smallest laptop, a desk. */
export const VIEWPORTS: readonly Viewport[] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]

/** What may be wider than its box: rows of tabs, text that loses its meaning when it wraps, and hosts drawn side by side. */
const MAY_SCROLL = '[role=tablist], pre, input, textarea, [data-placement]'

/** Every part of the page that scrolls sideways, with the element that reaches furthest. */
export function sidewaysOn(page: Page): Promise<readonly string[]> {
  // One expression: a function with a name would be wrapped by the compiler in what the page does not have.
  return page.evaluate(
    (mayScroll) =>
      [document.documentElement, ...document.querySelectorAll<HTMLElement>('body *')]
        .filter(
          (element) =>
            element === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
        )
        .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
        .filter((element) => element.closest(mayScroll) === null)
        .map((element) => {
          const furthest = [...element.querySelectorAll<HTMLElement>('*')]
            .filter((each) => each.closest(mayScroll) === null)
            .reduce<HTMLElement | null>(
              (far, each) =>
                far === null || each.getBoundingClientRect().right > far.getBoundingClientRect().right ? each : far,
              null,
            )
          const what = furthest ? `${furthest.tagName} “${furthest.textContent?.trim().slice(0, 40)}”` : 'nothing'
          const label = element.getAttribute('aria-label') ?? element.querySelector('table')?.getAttribute('aria-label')
          const name = element.id || label || element.tagName
          return `${name}: ${element.scrollWidth} of ${element.clientWidth} px, by ${what}`
        }),
    MAY_SCROLL,
  )
}

/** At every width the page is as wide as its window; the window is left at the last. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport)
    const what = `${name}, ${viewport.width} px wide`
    await expect
      .configure({ soft: true, timeout: SETTLES_WITHIN_MS })
      .poll(() => sidewaysOn(page), what)
      .toEqual([])
  }
}

/** A list chooses its columns after it has been measured. */
const SETTLES_WITHIN_MS = 3_000

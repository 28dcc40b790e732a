import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect } from './console'

// A page that is wider than its window hides content behind an unexpected scroll. A list shows only the columns that
// fit, so the same rule applies to its scroller.

export interface Viewport {
  readonly width: number
  readonly height: number
}

/** A phone, a tablet, a small laptop, a desktop. */
export const VIEWPORTS: readonly Viewport[] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]

/** Elements that may scroll: tab lists, text that must not wrap, and hosts side by side. */
const MAY_SCROLL = '[role=tablist], pre, input, textarea, [data-placement]'

/** Every element that scrolls sideways or sticks out of a head, with the descendant that reaches furthest. */
export function scrollersOn(page: Page): Promise<readonly string[]> {
  // One expression: the compiler wraps a named function in a helper that does not exist on the page.
  return page.evaluate(
    (mayScroll) =>
      [document.documentElement, ...document.querySelectorAll<HTMLElement>('body *')]
        .filter(
          (element) =>
            element === document.documentElement ||
            // The head of a panel does not scroll: its controls would stick out.
            element.matches('header') ||
            ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
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

/** The page passes axe, and fits its window at every width. */
export async function expectAccessibleAndFitting(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name)
  await expectNoHorizontalScroll(page, name)
}

/** WCAG 2.2, 1.4.10: a window of 1280 pixels at 400 %. */
const ZOOMED: Viewport = { width: 320, height: 700 }

/** At every width the page fits its window. Leaves the window at the last width. */
export async function expectNoHorizontalScroll(page: Page, name: string): Promise<void> {
  for (const viewport of [ZOOMED, ...VIEWPORTS]) {
    await page.setViewportSize(viewport)
    const what = `${name}, ${viewport.width} px wide`
    await expect
      .configure({ soft: true, timeout: SETTLES_WITHIN_MS })
      .poll(() => scrollersOn(page), what)
      .toEqual([])
  }
}

/** A list chooses its columns only after it has measured its width. */
const SETTLES_WITHIN_MS = 3_000

import { expect, type Locator } from '@playwright/test'

/** An unavailable action stays in place, is focusable, and says why it is unavailable. */
export async function expectDisabled(button: Locator, why: string | RegExp): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  // A tooltip needs a moving pointer; a pointer that is already over the button has not moved.
  const page = button.page()
  await page.mouse.move(0, 0)
  await button.hover()
  await expect(button).toHaveAccessibleDescription(why)
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
}

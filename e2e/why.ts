import { expect, type Locator } from '@playwright/test'

/** An action that cannot be done now keeps its place, can be reached, and says why. */
export async function expectDisabled(button: Locator, why: string | RegExp): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  // A tip follows a pointer that moves; one that appears out of nowhere over a button has not moved.
  const page = button.page()
  await page.mouse.move(0, 0)
  await button.hover()
  await expect(button).toHaveAccessibleDescription(why)
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
}

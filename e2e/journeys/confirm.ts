import { expect, type Page } from '@playwright/test'

export const WHY = 'ticket 4711: rack 12 is rewired tonight'

/** Gives the reason (and the name, where the worst ones want it), reads the consequences, and presses the verb. */
export async function confirm(page: Page, verb: string, typed: string | null = null): Promise<string> {
  const dialog = page.getByRole('alertdialog')
  if (typed !== null) await dialog.getByRole('textbox', { name: new RegExp(`Type .*${typed}`) }).fill(typed)
  await dialog.getByRole('textbox', { name: /reason/i }).fill(WHY)
  const button = dialog.getByRole('button', { name: verb })
  // Not before the consequences are there: until then it says that they are being asked for.
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  const consequences = await dialog.innerText()
  await button.click()
  await dialog.waitFor({ state: 'hidden' })
  return consequences
}

import type { Page } from '@playwright/test'

export const WHY = 'ticket 4711: rack 12 is rewired tonight'

/** Reads a dialog's consequences, gives the reason (and the name, where the worst ones want it), and presses its verb. */
export async function confirm(page: Page, verb: string, typed: string | null = null): Promise<string> {
  const dialog = page.getByRole('alertdialog')
  const consequences = await dialog.innerText()
  if (typed !== null) await dialog.getByRole('textbox', { name: new RegExp(`Type .*${typed}`) }).fill(typed)
  await dialog.getByRole('textbox', { name: /reason/i }).fill(WHY)
  await dialog.getByRole('button', { name: verb }).click()
  await dialog.waitFor({ state: 'hidden' })
  return consequences
}

import { expect, type Page } from '@playwright/test'

export const WHY = 'ticket 4711: rack 12 is rewired tonight'

/**
 * Enters the reason, and the name for dangerous actions, reads the consequences, and presses the button. `asked` false:
 * the dialog must not ask for the reason, because an earlier step did.
 */
export async function confirm(
  page: Page,
  verb: string,
  { typed = null, asked = true }: { typed?: string | null; asked?: boolean } = {},
): Promise<string> {
  const dialog = page.getByRole('alertdialog')
  if (typed !== null) await dialog.getByRole('textbox', { name: new RegExp(`Type .*${typed}`) }).fill(typed)
  if (asked) await dialog.getByRole('textbox', { name: /reason/i }).fill(WHY)
  const button = dialog.getByRole('button', { name: verb })
  // Enabled only once the consequences have loaded.
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  if (!asked) await expect(dialog.getByRole('textbox')).toHaveCount(0)
  const consequences = await dialog.innerText()
  await button.click()
  await dialog.waitFor({ state: 'hidden' })
  return consequences
}

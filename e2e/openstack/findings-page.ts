import type { Page } from '@playwright/test'
import { expect } from './on-rig'
import type { Rig } from './rig'

// The findings of a cloud in the console, and the repair of one.

/** As the list names it. */
export interface Listed {
  readonly title: string
  readonly about: string
}

export const FOUND_MS = 150_000

/** One tab of a browser, on the page of one cloud. */
export class FindingsPage {
  constructor(
    readonly page: Page,
    private readonly address: string,
  ) {}

  readonly rows = () => this.page.getByRole('table', { name: 'Findings of the cloud' }).getByRole('row')
  readonly row = ({ title, about }: Listed) => this.rows().filter({ hasText: title }).filter({ hasText: about })
  readonly pane = () => this.page.getByRole('complementary', { name: 'Repair' })
  readonly none = () => this.page.getByText('No findings')
  readonly #dialog = () => this.page.getByRole('alertdialog')

  async open(): Promise<void> {
    await this.page.goto(`${this.address}?tab=findings`)
    await expect(this.rows().nth(1).or(this.none())).toBeVisible()
  }

  /** These, and no others. */
  async expectOnly(findings: readonly Listed[]): Promise<void> {
    for (const each of findings) await expect(this.row(each), each.title).toHaveCount(1, { timeout: FOUND_MS })
    await expect(this.rows()).toHaveCount(1 + findings.length)
  }

  /** Down to the last question: what is shown there is what would be sent. */
  async openRepair(finding: Listed): Promise<void> {
    await this.open()
    await this.row(finding).click()
    await this.pane().getByRole('button', { name: 'Apply repair' }).click()
    await this.#dialog().getByLabel('Reason').fill('stuck since the night')
  }

  /** From now on it hears of nothing new, so that what was decided a while ago can still be pressed. */
  holdBack = () =>
    this.page.route('**/api/trpc/**', async (route) => {
      if (route.request().method() !== 'GET') await route.continue()
    })

  press = () => this.#dialog().getByRole('button', { name: 'Apply repair' }).click()

  /** Until it is gone. */
  async repair(finding: Listed): Promise<void> {
    await this.openRepair(finding)
    await this.press()
    await expect(this.#dialog()).toBeHidden()
    await this.open()
    await expect(this.row(finding), finding.title).toHaveCount(0, { timeout: FOUND_MS })
  }
}

/** What the tools of Nova say, without the noise of their start; `audit` says nothing where it finds nothing. */
export async function saidByTools(rig: Rig, ...args: readonly string[]): Promise<string> {
  const said = await rig.manage('placement', ...args, '--verbose')
  return said
    .split('\n')
    .filter((line) => line !== '' && !/DEBUG|arning|^\s/.test(line))
    .join('\n')
}

import type { Page } from '@playwright/test'
import { expect } from './on-rig'
import type { Rig } from './rig'

// The findings of a cloud in the console, and their repair.

/** A finding as shown in the list. */
export interface ListedFinding {
  readonly title: string
  readonly about: string
}

export const FOUND_MS = 150_000

/** One browser tab on the page of one cloud. */
export class FindingsPage {
  constructor(
    readonly page: Page,
    private readonly address: string,
  ) {}

  readonly rows = () => this.page.getByRole('table', { name: 'Findings of the cloud' }).getByRole('row')
  readonly row = ({ title, about }: ListedFinding) => this.rows().filter({ hasText: title }).filter({ hasText: about })
  readonly pane = () => this.page.getByRole('complementary', { name: 'Repair' })
  readonly none = () => this.page.getByText('No findings')
  readonly #dialog = () => this.page.getByRole('alertdialog')

  async open(): Promise<void> {
    await this.page.goto(`${this.address}?tab=findings`)
    await expect(this.rows().nth(1).or(this.none())).toBeVisible()
  }

  /** Exactly these findings are listed. */
  async expectOnly(findings: readonly ListedFinding[]): Promise<void> {
    for (const each of findings) await expect(this.row(each), each.title).toHaveCount(1, { timeout: FOUND_MS })
    await expect(this.rows()).toHaveCount(1 + findings.length)
  }

  /** Opens the repair up to its confirmation dialog, which shows what would be sent. */
  async openRepair(finding: ListedFinding): Promise<void> {
    await this.open()
    await this.row(finding).click()
    await this.pane().getByRole('button', { name: 'Apply repair' }).click()
    await this.#dialog().getByLabel('Reason').fill('stuck since the night')
  }

  /** Stops updates of this tab, so that an outdated repair can still be applied. */
  holdBack = () =>
    this.page.route('**/api/trpc/**', async (route) => {
      if (route.request().method() !== 'GET') await route.continue()
    })

  press = () => this.#dialog().getByRole('button', { name: 'Apply repair' }).click()

  /** Applies the repair and waits until the finding is gone. */
  async repair(finding: ListedFinding): Promise<void> {
    await this.openRepair(finding)
    await this.press()
    await expect(this.#dialog()).toBeHidden()
    await this.open()
    await expect(this.row(finding), finding.title).toHaveCount(0, { timeout: FOUND_MS })
  }
}

/** Output of `nova-manage placement` without log lines; `audit` prints nothing if it finds nothing. */
export async function runPlacementTool(rig: Rig, ...args: readonly string[]): Promise<string> {
  const output = await rig.manage('placement', ...args, '--verbose')
  return output
    .split('\n')
    .filter((line) => line !== '' && !/DEBUG|arning|^\s/.test(line))
    .join('\n')
}

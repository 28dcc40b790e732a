import { expect, type Locator, type Page } from '@playwright/test'

// Adds a cloud and requests actions from Nova, as an operator does.

export interface CloudFiles {
  readonly clouds: string
  readonly secure: string
}

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Add cloud' })

/** From the files to the cloud's page; returns its address. */
export async function addCloud(page: Page, name: string, { clouds, secure }: CloudFiles): Promise<string> {
  await page.goto('/clouds?add=cloud')
  await drawer(page).getByLabel('clouds.yaml', { exact: true }).fill(clouds)
  await drawer(page)
    .getByLabel(/^secure.yaml/)
    .fill(secure)
  await drawer(page).getByRole('button', { name: 'Read files' }).click()
  await drawer(page).getByRole('button', { name: 'Probe cloud' }).click()
  await drawer(page).getByLabel('Name in Berth').fill(name)
  await drawer(page).getByLabel('Reason').fill('we run it')
  await drawer(page)
    .getByRole('button', { name: `Add ${name}` })
    .click()
  await expect(page).toHaveURL(/\/clouds\/[0-9a-f-]{36}$/)
  return new URL(page.url()).pathname
}

const ANSWER_MS = 120_000

/** Adds the host whose socket the form preselects. */
export async function addHost(page: Page, name: string): Promise<void> {
  await page.goto('/hosts?add=host')
  const form = page.getByRole('dialog', { name: 'Add host' })
  await form.getByRole('button', { name: 'Probe host' }).click()
  await form.getByLabel('Reason').fill('third witness')
  await form.getByRole('button', { name: `Add ${name}` }).click()
  await page.waitForURL(/\/hosts\/[0-9a-f-]{36}$/, { timeout: ANSWER_MS })
}

export async function allowActions(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Allow actions' }).click()
  await confirm(page, 'Allow actions', 'migrations of the night')
}

async function confirm(page: Page, verb: string, reason: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  // Before it is sent, the state is read again from services that may be slow.
  await expect(dialog).toBeHidden({ timeout: ANSWER_MS })
}

export interface ConsoleAction {
  readonly tab: 'hosts' | 'instances' | 'migrations'
  /** The first row with this text. */
  readonly row: string | RegExp
  readonly verb: string
  /** What the dialog's button says, if not the verb. */
  readonly confirm?: string
  /** Label of a field, and the option to choose. */
  readonly choose?: Readonly<Record<string, string | RegExp>>
  /** Text of its entry at which to stop waiting; by default waits until it is done. */
  readonly until?: RegExp
}

const TABLES = { hosts: 'Hosts', instances: 'Instances', migrations: 'Migrations' } as const
const PANES = { hosts: 'Host', instances: 'Instance', migrations: 'Migration' } as const

export const rowOf = (page: Page, { tab, row }: Pick<ConsoleAction, 'tab' | 'row'>) =>
  page
    .getByRole('table', { name: `${TABLES[tab]} of the cloud` })
    .getByRole('row')
    .filter({ hasText: row })
    .first()

export async function openPane(page: Page, address: string, { tab, row }: Pick<ConsoleAction, 'tab' | 'row'>) {
  await page.goto(`${address}?tab=${tab}`)
  await rowOf(page, { tab, row }).click()
  const pane = page.getByRole('complementary', { name: PANES[tab], exact: true })
  await expect(pane).toBeVisible()
  return pane
}

/** The first action that is available has a button, the others are in the menu: the next poll may change which. */
async function pressVerb(page: Page, pane: Locator, verb: string): Promise<void> {
  const soon = { timeout: 2_000 }
  await expect(async () => {
    if (await page.getByRole('menu').isVisible()) await page.keyboard.press('Escape')
    const button = pane.getByRole('button', { name: verb, exact: true })
    await expect(pane.getByRole('button', { name: 'Actions' })).toBeVisible()
    if (await button.isVisible()) return button.click(soon)
    await pane.getByRole('button', { name: 'Actions' }).click(soon)
    return page.getByRole('menuitem', { name: verb }).click(soon)
  }).toPass({ timeout: ANSWER_MS })
}

/** Opens the dialog of the action and chooses the options. */
async function openAction(page: Page, address: string, asked: ConsoleAction): Promise<void> {
  const pane = await openPane(page, address, asked)
  await pressVerb(page, pane, asked.verb)
  const dialog = page.getByRole('alertdialog')
  for (const [label, option] of Object.entries(asked.choose ?? {})) {
    await dialog.getByRole('button', { name: new RegExp(label) }).click()
    await page.getByRole('option', { name: option }).click()
  }
}

/** Requests an action, without waiting for its result. */
export async function request(page: Page, address: string, asked: ConsoleAction): Promise<void> {
  await openAction(page, address, asked)
  await confirm(page, asked.confirm ?? asked.verb, `e2e: ${asked.verb}`)
}

/** Requests an action and follows it until it is done or shows the awaited text; returns the final text. */
export async function act(page: Page, address: string, asked: ConsoleAction): Promise<string> {
  await request(page, address, asked)
  const pane = page.getByRole('complementary', { name: PANES[asked.tab], exact: true })
  const entry = pane.getByRole('list', { name: 'Requested actions' }).getByRole('listitem').first()
  await expect(entry).toContainText(asked.verb)
  await expect(entry).toHaveText(asked.until ?? /^done/, { timeout: 180_000 })
  return (await entry.textContent()) ?? ''
}

/** Attests that the host is powered off. */
export async function fence(page: Page, address: string, host: string): Promise<void> {
  const pane = await openPane(page, address, { tab: 'hosts', row: host })
  await pane.getByRole('button', { name: 'Mark as fenced' }).click()
  await page.getByRole('alertdialog').getByLabel(new RegExp(host)).fill(host)
  await confirm(page, 'Mark as fenced', 'seen on its management board')
  await expect(pane.getByText(/^Attested by .* to be powered off/)).toBeVisible()
}

/** Requests to a cloud that are neither a read nor the sign-in. */
export const writesIn = (log: readonly string[]): readonly string[] =>
  log.filter((line) => !/^(GET |POST \/identity\/v3\/auth\/tokens$)/.test(line))

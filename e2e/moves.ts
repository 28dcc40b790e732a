import { expect, type Locator, type Page } from '@playwright/test'
import { readTable, rowNamed } from './table'

// What an operator does with instances and their moves, by what is written on the screen.

/** Opens an instance the way one looks for it: its name in the filter of the list, then its link. */
export async function openInstance(page: Page, name: string): Promise<void> {
  await page.goto(`/instances?q=${name}`)
  await page.getByRole('table', { name: 'Instances' }).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

export async function openHost(page: Page, name: string, tab = ''): Promise<void> {
  await page.goto(`/hosts?q=${name}`)
  await page.getByRole('table', { name: 'Hosts' }).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  if (tab) await page.getByRole('tab', { name: tab }).click()
}

/** The drawer over the instance's page; its first verdicts are there. */
export async function openMoveDrawer(page: Page, operation: string, instance: string): Promise<Locator> {
  const actions = page.getByRole('main')
  const button = actions.getByRole('button', { name: operation, exact: true })
  await expect(actions.getByRole('button', { name: 'More actions' })).toBeVisible()
  if (await button.isVisible()) await button.click()
  else {
    await actions.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: operation }).click()
  }
  const drawer = page.getByRole('dialog', { name: `${operation} ${instance}` })
  await expect(drawer).toBeVisible()
  return drawer
}

/** Of the demo fleet: it would not answer. */
export const SILENT = 'std-07'

/** The first host of the ranking that takes it and can be reached. */
export async function bestHost(drawer: Locator): Promise<string> {
  const verdicts = drawer.getByRole('table', { name: 'Verdict' })
  const able = async () => (await readTable(verdicts)).filter((row) => row.Verdict === 'ok' && row.Host !== SILENT)
  await expect.poll(async () => (await able()).length, { message: 'hosts that take it' }).toBeGreaterThan(0)
  return (await able())[0]?.Host ?? ''
}

/** Picks a host in the verdicts; resolves to the button that starts there, once the drawer has taken the choice in. */
export async function pickHost(drawer: Locator, host: string): Promise<Locator> {
  await rowNamed(drawer.getByRole('table', { name: 'Verdict' }), host).click()
  const start = drawer.getByRole('button', { name: new RegExp(`(to ${host}|here)$`) })
  await expect(start).toBeVisible()
  return start
}

/** Starts it there and follows the message to the move's own page. */
export async function startOn(page: Page, drawer: Locator, host: string): Promise<void> {
  await (await pickHost(drawer, host)).click()
  await page.getByRole('link', { name: 'Open migration' }).click()
  await expect(stepOf(page)).toBeVisible()
}

/** Where the move is: the marked step, with its outcome when it has ended. */
export const stepOf = (page: Page): Locator => page.getByRole('main').locator('[aria-current=step]')

/** How fast the guest writes its memory; faster than the network carries, a live move does not end. */
export async function setWrites(page: Page, instance: string, mibPerS: number): Promise<void> {
  await openInstance(page, instance)
  await page.getByRole('tab', { name: 'Facts' }).click()
  const facts = page.getByRole('tabpanel', { name: 'Facts' })
  await facts.getByRole('textbox', { name: 'Dirty rate, MiB/s' }).fill(String(mibPerS))
  await facts.getByRole('button', { name: 'Set' }).click()
  await expect(page.getByText('Fault applied')).toBeVisible()
}

/** One requested action from the move's page: its consequences come first, then the button says the verb. */
export async function requestAction(page: Page, verb: string, instance: string): Promise<void> {
  await page.getByRole('group', { name: 'Actions on this migration' }).getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('alertdialog', { name: `${verb} ${instance}` })
  await dialog.getByRole('button', { name: `${verb} ${instance}` }).click()
  await expect(dialog).toBeHidden()
}

export interface Holding {
  readonly host: string
  readonly mark: string
  readonly cpus: readonly string[]
  readonly devices: readonly string[]
}

/** What the instance's page says that it holds: one claim, or two while it moves. */
export async function holdingsOf(page: Page): Promise<readonly Holding[]> {
  const panel = page.getByRole('tabpanel', { name: /^Claim/ })
  await expect(panel.getByRole('region').first()).toBeVisible()
  // Read in one go: a claim that is given back takes its card along while the others are still being read.
  return panel.evaluate((element) =>
    [...element.querySelectorAll('section')].map((claim) => {
      const textsOf = (selector: string) =>
        [...claim.querySelectorAll<HTMLElement>(selector)].map((found) => found.innerText)
      const [host = '', mark = ''] = textsOf('h2').join(' ').split(/\s+/)
      const names = [...claim.querySelectorAll('a')].map((link) => link.getAttribute('aria-label') ?? '')
      const cpus = names.filter((name) => /^vCPU \d+ on CPU \d+$/.test(name))
      return { host, mark, cpus, devices: textsOf('ul[aria-label="Devices"] a') }
    }),
  )
}

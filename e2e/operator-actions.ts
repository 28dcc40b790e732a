import { expect, type Locator, type Page } from '@playwright/test'
import { endMigrationsOf } from './api'
import { readTable, rowNamed } from './table'

// An operator's actions on instances and migrations, by the text on the screen.

/** Opens an instance as users do: its name in the list's filter, then its link. */
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

/** Opens the drawer over the instance's page and waits for its first verdicts. */
export async function openMigrateDrawer(page: Page, operation: string, instance: string): Promise<Locator> {
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

/** The host of the demo fleet that does not answer. */
export const SILENT = 'std-07'

/** The first reachable host of the ranking that fits. */
export async function bestHost(drawer: Locator): Promise<string> {
  const verdicts = drawer.getByRole('table', { name: 'Verdict' })
  const able = async () => (await readTable(verdicts)).filter((row) => row.Verdict === 'ok' && row.Host !== SILENT)
  await expect.poll(async () => (await able()).length, { message: 'hosts that take it' }).toBeGreaterThan(0)
  return (await able())[0]?.Host ?? ''
}

/** Picks a host in the verdicts; resolves to its start button once the drawer shows the selection. */
export async function pickHost(drawer: Locator, host: string): Promise<Locator> {
  await rowNamed(drawer.getByRole('table', { name: 'Verdict' }), host).click()
  const start = drawer.getByRole('button', { name: new RegExp(`(to ${host}|here)$`) })
  await expect(start).toBeVisible()
  return start
}

/** Starts the migration there and follows the message to its page. */
export async function startOn(page: Page, drawer: Locator, host: string): Promise<void> {
  await (await pickHost(drawer, host)).click()
  await page.getByRole('link', { name: 'Open migration' }).click()
  await expect(stepOf(page)).toBeVisible()
}

/** The migration's marked step, with its outcome if it has ended. */
export const stepOf = (page: Page): Locator => page.getByRole('main').locator('[aria-current=step]')

/** Sets the dirty rate. Above the bandwidth of the link a live migration does not converge. */
export async function setWrites(page: Page, instance: string, mibPerS: number): Promise<void> {
  await openInstance(page, instance)
  await page.getByRole('tab', { name: 'Facts' }).click()
  const facts = page.getByRole('tabpanel', { name: 'Facts' })
  await facts.getByRole('textbox', { name: 'Dirty rate, MiB/s' }).fill(String(mibPerS))
  await facts.getByRole('button', { name: 'Set' }).click()
  await expect(page.getByText('Fault applied')).toBeVisible()
}

/** A live migration that stays in transfer, because it dirties memory faster than the link copies it. */
export async function startSlowly(page: Page, instance: string) {
  await endMigrationsOf(page.request, instance)
  await setWrites(page, instance, 3_000)
  await openInstance(page, instance)
  const [before] = await holdingsOf(page)
  const drawer = await openMigrateDrawer(page, 'Live-migrate', instance)
  const target = await bestHost(drawer)
  await startOn(page, drawer, target)
  await expect(stepOf(page)).toContainText('transfer')
  return { source: before?.host ?? '', target }
}

/** Injects a fault on the facts of a simulated host. */
export async function pressFault(page: Page, host: string, button: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Faults on this simulated host' })
    .getByRole('button', { name: button })
    .click()
  await expect(page.getByText(`on ${host}; the next survey shows its effect.`)).toBeVisible()
}

/** Requests one action on the migration's page and confirms its dialog. */
export async function requestAction(page: Page, verb: string, instance: string): Promise<void> {
  await page.getByRole('group', { name: 'Actions on this migration' }).getByRole('button', { name: verb }).click()
  const dialog = page.getByRole('alertdialog', { name: `${verb} ${instance}` })
  await dialog.getByRole('button', { name: `${verb} ${instance}` }).click()
  await expect(dialog).toBeHidden()
}

/** The requested action has reached its last stage. */
export async function expectStages(page: Page): Promise<void> {
  for (const stage of ['requested', 'accepted', 'effective']) {
    // With its time, because stages that are not reached yet are listed, too.
    const chip = page.getByRole('main').getByTitle(/^\d\d:\d\d:\d\d/)
    await expect(chip.filter({ hasText: stage })).toBeVisible()
  }
}

export interface Holding {
  readonly host: string
  readonly mark: string
  readonly cpus: readonly string[]
  readonly devices: readonly string[]
}

/** The claims on the instance's page: one, or two during a migration. */
export async function holdingsOf(page: Page): Promise<readonly Holding[]> {
  const panel = page.getByRole('tabpanel', { name: /^Claim/ })
  await expect(panel.getByRole('region').first()).toBeVisible()
  // Read in one step, because the card of a claim disappears when the claim is released.
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

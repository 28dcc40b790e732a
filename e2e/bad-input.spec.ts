import type { Locator, Page } from '@playwright/test'
import { expect, test } from './console'
import { expectDisabled } from './disabled'
import { holdingsOf, openHost, openInstance, openMigrateDrawer } from './operator-actions'
import { rowNamed } from './table'

// Invalid input in forms: an error says what is wrong, where, and that nothing was changed. The form reports what it
// can check itself before anything is sent; the server reports the rest.

test('a build says what is missing, and a refused name returns with its rule', async ({ page }) => {
  await page.goto('/instances?build=yes')
  const drawer = page.getByRole('dialog', { name: 'Build instance' })
  const build = drawer.getByRole('button', { name: /^Build/ })
  await expectDisabled(build, 'Enter a name.')
  await drawer.getByRole('textbox', { name: 'Name' }).fill('-not a name-')
  await expectDisabled(build, 'Choose a flavor and an image.')
  await choose(drawer, 'Flavor', 's1.small')
  await choose(drawer, 'Image', 'debian-12')
  await build.click()
  await expectError(drawer, {
    title: 'The build failed',
    happened: 'expected a name of 1 to 63 letters, digits, dots, dashes and underscores',
    notChanged: 'Nothing was changed.',
  })
  await expectNoInstance(page, '-not a name-')
})

test('a build that fits nowhere names the rules and creates nothing', async ({ page }) => {
  await page.goto('/instances?build=yes&flavor=p1.pmem&image=debian-12&zone=az-1')
  const drawer = page.getByRole('dialog', { name: 'Build instance' })
  await drawer.getByRole('textbox', { name: 'Name' }).fill('ledger-99')
  await expect(drawer.getByRole('radio', { name: 'ok 0' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Build ledger-99' }).click()
  await expectError(drawer, {
    title: 'The build failed',
    happened: 'no valid host',
    notChanged: 'Nothing was claimed and no instance was created.',
  })
  await expectNoInstance(page, 'ledger-99')
})

test('the console sends no migration to a refusing host, and none with an unknown flavor', async ({ page }) => {
  await openInstance(page, 'search-01')
  const before = await holdingsOf(page)
  const address = page.url()
  const drawer = await openMigrateDrawer(page, 'Live-migrate', 'search-01')
  const source = before[0]?.host ?? ''
  await rowNamed(drawer.getByRole('table', { name: 'Verdict' }), source).click()
  await expectDisabled(drawer.getByRole('button', { name: 'Live-migrate here' }), 'This host refuses it.')

  const id = new URL(address).pathname.split('/').at(-1)
  await page.goto(`${address}?move=${id}&operation=resize&flavor=no-such-flavor`)
  await expectError(page.getByRole('dialog', { name: 'Resize search-01' }), {
    title: 'Not found',
    happened: 'no-such-flavor',
    notChanged: 'Nothing was changed.',
  })
  await openInstance(page, 'search-01')
  expect(await holdingsOf(page)).toEqual(before)
})

test('marking a host as lost needs its typed name and a reason', async ({ page }) => {
  await openHost(page, 'numa8-02')
  await page.getByRole('button', { name: 'Host actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as permanently lost' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Mark as permanently lost: numa8-02' })
  const state = dialog.getByRole('button', { name: 'Mark as permanently lost' })
  await dialog.getByRole('textbox', { name: 'Type numa8-02 to confirm' }).fill('numa8-03')
  await expectDisabled(state, 'Type numa8-02 to confirm')
  await dialog.getByRole('textbox', { name: 'Type numa8-02 to confirm' }).fill('numa8-02')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('  ')
  await expectDisabled(state, 'Reason')
  // The first Escape closes a tooltip that is still open.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('main')).toContainText('up')
})

test('an unknown address says so and leads on', async ({ page }) => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const address of [`/hosts/${nobody}`, `/instances/${nobody}`, `/migrations/${nobody}`, '/hosts/not-an-id']) {
    await page.goto(address)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Nothing was changed.')
  }
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Instances' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Instances' })).toBeVisible()
  await page.goto('/hosts?status=sideways&sort=nothing&dir=up')
  await expect(page.getByRole('table', { name: 'Hosts' }).getByRole('link', { name: 'std-01' })).toBeVisible()
})

async function choose(drawer: Locator, field: string, value: string): Promise<void> {
  await drawer.getByRole('combobox', { name: field }).fill(value)
  await drawer.page().getByRole('option', { name: value }).first().click()
}

interface ErrorText {
  readonly title: string
  readonly happened: string
  readonly notChanged: string
}

async function expectError(place: Locator, says: ErrorText): Promise<void> {
  const error = place.getByRole('alert')
  await expect(error).toContainText(says.title)
  const line = (name: string) => error.getByRole('definition').nth(LINES.indexOf(name))
  await expect(line('What happened')).toContainText(says.happened)
  await expect(line('Not changed')).toHaveText(says.notChanged)
  await expect(error.getByRole('term')).toHaveText(LINES)
  await expect(error.getByRole('button', { name: /^Copy / })).toBeVisible()
}

const LINES = ['What happened', 'Not changed', 'Next step', 'Request id']

async function expectNoInstance(page: Page, name: string): Promise<void> {
  await page.goto(`/instances?q=${encodeURIComponent(name)}`)
  await expect(page.getByText('No instance matches')).toBeVisible()
}

import { originAt, PORT } from './address'
import { expect, SIGNED_OUT, test } from './console'
import { OwnServer } from './server'
import { expectRow } from './table'
import { ADMIN, fillSignIn } from './users'

// S1, the first day: after one command a browser shows a fleet in operation that is marked as simulated, with two
// active migrations and one fault, all of them linked from the overview.

const server = new OwnServer(PORT + 2)
test.use({ storageState: SIGNED_OUT, baseURL: originAt(PORT + 2) })
test.beforeAll(async () => {
  test.setTimeout(300_000)
  await server.startAnew()
})
test.afterAll(() => server.stop())

test('one command shows a fleet that says it is simulated, with two migrations and one fault', async ({ page }) => {
  await page.goto('/')
  await fillSignIn(page, ADMIN)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.getByText('Simulated fleet')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('24 hosts, 200 instances')
  const migrations = page.getByRole('table', { name: 'Migrations in progress' })
  await expectRow(migrations, { Instance: 'db-01', Operation: 'live migration', Step: 'transfer' })
  await expectRow(migrations, { Instance: 'web-02', Operation: 'resize', Step: 'verify' })

  const attention = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  await expect(attention.filter({ hasText: 'web-02' })).toContainText('Awaiting confirm or revert')
  const fault = attention.filter({ hasText: 'Host never answered' })
  await expect(fault).toHaveCount(1, { timeout: 90_000 })
  await expect(page.getByRole('link', { name: /^std-07, never answered/ })).toBeVisible()
  await fault.getByRole('link', { name: 'std-07' }).click()
  await page.getByRole('tab', { name: 'Facts' }).click()
  await expect(page.getByRole('region', { name: 'Faults on this simulated host' })).toContainText('silent')
})

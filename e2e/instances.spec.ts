import { expect, test } from './console'
import { readTable, rowNamed } from './table'

// The list of instances: filter and sort order in the URL, preview over the list.

test('the list of instances filters and sorts, and previews an instance over the list', async ({ page }) => {
  await page.goto('/instances?q=name%3Aweb-0*+state%3Aactive&sort=host,-name')
  const instances = page.getByRole('table', { name: 'Instances' })
  await expect(rowNamed(instances, 'web-03')).toBeVisible()
  const names = (await readTable(instances)).map((row) => row.Instance)
  expect(names.filter((name) => !name?.startsWith('web-0'))).toEqual([])
  await page.getByRole('button', { name: 'Preview web-03' }).click({ force: true })
  const drawer = page.getByRole('dialog', { name: 'Instance' })
  await expect(drawer.getByRole('heading', { level: 1, name: 'web-03' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Live-migrate', exact: true })).toBeVisible()
  await page.goBack()
  await expect(drawer).toBeHidden()
})

import { expectAccessible } from './axe'
import { expect, test } from './console'
import { expectRow, readTable } from './table'

// Recent tasks: live on the overview, and as a list with its filter in the URL.

test('a host action appears among the recent tasks at once, with its author and reason', async ({ page }) => {
  await page.goto('/hosts?q=std-09')
  await page.getByRole('link', { name: 'std-09', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'std-09' })).toBeVisible()
  const host = new URL(page.url()).pathname
  await page.goto(`${host}?act=disable`)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('new fan')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`${host}$`))

  await page.goto('/overview')
  const recent = page.getByRole('table', { name: 'Recent tasks' })
  await expectRow(recent, {
    Task: 'Disable scheduling',
    Object: 'std-09',
    Who: 'admin',
    Result: 'completed',
  })
  await page.request.post('/api/trpc/host.setScheduling', {
    data: { id: host.split('/').at(-1), scheduling: 'enabled' },
  })
  await expectRow(recent, { Task: 'Enable scheduling', Object: 'std-09' })

  await page.getByRole('link', { name: 'All tasks' }).click()
  const all = page.getByRole('table', { name: 'Tasks' })
  await expectRow(all, { Task: 'Disable scheduling', Reason: 'new fan' })
  await page.goto('/tasks?q=host%3Astd-09+task%3Ahost.*+result%3Acompleted')
  await expectRow(all, { Task: 'Disable scheduling', Object: 'std-09' })
  expect(new Set((await readTable(all)).map(({ Object: object }) => object))).toEqual(new Set(['std-09']))
  await expectAccessible(page, 'tasks')
})

import { PORT } from './address'
import { expect, test } from './console'
import { runSql } from './direct-sql'

// Every server monitors the tasks that keep the records correct. A failure appears on the open overview even if no
// event makes the page refetch.

test('a failing health check appears under attention without a reload, and disappears when it passes', async ({
  page,
}) => {
  await page.goto('/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toBeVisible()
  await runSql(PORT, `insert into lease (name, owner, until) values ('nobody', 'nobody', now() + interval '1 day')`)
  try {
    await expect(attention.getByText(/lease ends later than the longest lease/)).toBeVisible()
  } finally {
    await runSql(PORT, `delete from lease where name = 'nobody'`)
  }
  await expect(attention.getByText(/lease ends later/)).toHaveCount(0)
})

test('a relay whose row is deleted repairs itself without an operator', async ({ page }) => {
  await runSql(PORT, 'delete from relay')
  await expect.poll(() => runSql(PORT, 'select 1 from relay').then((rows) => rows.length)).toBe(1)
  await expect
    .poll(async () =>
      (await (await page.request.get('/readyz')).json()).checks.filter(({ ok }: { ok: boolean }) => !ok),
    )
    .toEqual([])
})

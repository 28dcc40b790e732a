import { randomUUID } from 'node:crypto'
import { expect, test } from '../console'
import { behindItsBack } from './behind'
import { countClicks, expectWithin } from './budget'
import { WHY } from './confirm'

// S10: a VF that never comes free. An alert names the function; its link opens the host with who holds it, and the way
// to give it back is two clicks away.

test('a VF that nobody’s claim holds is found by the link of an alert and given back', async ({ page }) => {
  const nobody = randomUUID()
  const [held] = await behindItsBack<{ host: string; name: string; unit: string; id: string; instance: string }>(
    `select h.id as host, h.name, u.name as unit, u.id, i.id as instance
      from unit u join host h on h.id = u.host_id join instance i on i.host_id = h.id
      where u.pci ->> 'devType' = 'type-VF' and h.name like 'std-%'
        and not exists (select 1 from unit_holding x where x.unit_id = u.id or x.unit_id = u.parent_id)
      order by h.name desc, u.id, i.name limit 1`,
  )
  if (!held) throw new Error('no VF is free')
  await behindItsBack(`insert into consumer (id, type) values ($1, 'MIGRATION')`, [nobody])
  await behindItsBack(
    `insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
      values ($1, $1, 'migration', $2, $3, now())`,
    [nobody, held.instance, held.host],
  )
  await behindItsBack(`insert into unit_holding (unit_id, claim_id, use) values ($1, $2, 'device')`, [held.id, nobody])
  await page.goto('/heal')
  await page.getByRole('button', { name: 'Audit now' }).click()
  await expect(page.getByText(/^Audited in/)).toBeVisible({ timeout: 240_000 })

  await page.goto(`/hosts/${held.host}?unit=${encodeURIComponent(held.unit)}`)
  const clicks = await countClicks(page)
  const place = page.getByRole('region', { name: 'Findings' }).filter({ hasText: `Findings at ${held.unit}` })
  await expect(place).toContainText('held by nobody')
  await place.getByRole('button', { name: 'Plan heal' }).first().click()
  await expect(page.getByRole('region', { name: /^Part 1/ })).toContainText(held.unit)
  await expectWithin(clicks, 2, 'a way out')
  await page.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await page.getByRole('button', { name: 'Apply 1 part' }).click()
  await expect(page.getByText('1 part applied')).toBeVisible()
  const rows = await behindItsBack('select 1 from unit_holding where unit_id = $1', [held.id])
  expect(rows).toEqual([])
})

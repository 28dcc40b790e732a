import { expect, test } from '../console'
import { openHost, pressFault } from '../operator-actions'
import { expectRow } from '../table'
import { attemptOf } from './attempt'
import { countClicks, expectWithin } from './budget'
import { confirm } from './confirm'

// S7: a host has failed. An operator attests that it is powered off, its instances are rebuilt elsewhere, and when it
// returns it gets no new claims until its leftovers are removed.

const HOSTS = ['pmem-05', 'pmem-06', 'pmem-07']

test('an evacuation restarts the instances of a dead host, which is cleaned up before it accepts claims', async ({
  page,
  second,
}, info) => {
  const host = HOSTS[attemptOf(info)] ?? ''
  await openHost(second, host, 'Facts')
  await pressFault(second, host, 'Kill')
  await openHost(page, host)
  const clicks = await countClicks(page)
  await page.getByRole('link', { name: 'Evacuate…' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Evacuate ${host}` })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Fencing' })).toContainText('not attested')
  await page.getByRole('button', { name: 'Mark as fenced…' }).click()
  await confirm(page, 'Mark as fenced', { typed: host })
  await expect(page.getByRole('region', { name: 'Fencing' })).toContainText(/(?<!not )attested/)
  await page.getByRole('button', { name: 'Start evacuation' }).click()
  await confirm(page, `Evacuate ${host}`, { asked: false })
  await expectWithin(clicks, 5, 'attest the fencing and start the evacuation')
  await page.getByRole('link', { name: 'Open evacuation' }).click()
  await expect(page.getByRole('main')).toContainText(/\d+ left|(\d+) of \1 rebuilt/, { timeout: 240_000 })

  await openHost(second, host, 'Facts')
  await pressFault(second, host, 'Return')
  await second.getByRole('button', { name: 'Host actions' }).click()
  await second.getByRole('menuitem', { name: 'Mark as up' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Mark as up' }).click()
  await openHost(page, host)
  await page.getByRole('tab', { name: 'Events' }).click()
  // The lines above the table disappear once the host is clean. If the table then moved under the pointer, it would
  // hold new rows back.
  await page.mouse.move(0, 0)
  const events = page.getByRole('table', { name: 'Events' })
  await expectRow(events, { Event: 'leftover cleaned up' })
  await expectRow(events, { Event: 'host cleaned' })
  await expect(page.getByRole('main')).toContainText('enabled')
})

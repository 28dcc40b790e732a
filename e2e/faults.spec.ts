import type { Page } from '@playwright/test'
import { mutateApi } from './api'
import { expect, test } from './console'
import { expectDisabled } from './disabled'
import {
  holdingsOf,
  openHost,
  openInstance,
  pressFault,
  requestAction,
  setWrites,
  startSlowly,
  stepOf,
} from './operator-actions'
import { expectRow } from './table'

// A stuck migration is stuck for a stated reason, mostly an unreachable host. It needs no restart: the host comes back,
// or an operator sets its status, and the migration continues automatically.

const pressed = new Set<string>()

// A test that fails half-way must not leave an unreachable host behind.
test.afterEach(async ({ request }, { status, expectedStatus }) => {
  if (status !== expectedStatus)
    for (const host of pressed) await mutateApi(request, 'simulator.fault', { do: 'return', host })
  pressed.clear()
})

const WHY = 'power supply burnt, pulled from the rack'

test('a live migration waits for its silent source by name, and continues when the host returns', async ({
  page,
  second,
}) => {
  const { source } = await startSlowly(page, 'web-05')

  await press(second, source, 'Go silent')
  await expect(second.getByRole('region', { name: 'Faults on this simulated host' })).toContainText('silent')
  await expect(page.getByRole('main')).toContainText(`host unreachable: host ${source} did not answer`)
  await page.goto('/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  const item = attention.filter({ hasText: 'web-05' })
  await expect(item).toContainText('Host unreachable')
  await expect(item.getByRole('link', { name: source })).toBeVisible()
  await item.getByRole('link', { name: 'web-05' }).click()

  await setWrites(second, 'web-05', 20)
  await press(second, source, 'Return')
  await expect(stepOf(page)).toContainText('completed')
})

test('a migration whose target died ends at its source once an operator marks the target as fenced', async ({
  page,
  second,
}) => {
  const { source, target } = await startSlowly(page, 'web-06')
  await openInstance(second, 'web-06')
  const before = (await holdingsOf(second)).find(({ mark }) => mark === 'outgoing')

  await press(second, target, 'Go silent')
  await requestAction(page, 'Abort', 'web-06')
  await expect(stepOf(page)).toContainText('release')
  await expect(page.getByRole('main')).toContainText(`host unreachable: host ${target} did not answer`)

  await test.step('the dialog needs the host name and a reason, and says what it does', () => fence(second, target))
  await expect(stepOf(page)).toContainText('aborted')
  await openInstance(page, 'web-06')
  await expect.poll(() => holdingsOf(page)).toEqual([{ ...before, host: source, mark: 'held' }])

  await second.getByRole('tab', { name: 'Events' }).click()
  await expectRow(second.getByRole('table', { name: 'Events' }), {
    Event: 'host status changed',
    Who: 'admin',
    Reason: WHY,
  })
})

async function press(page: Page, host: string, button: string): Promise<void> {
  await openHost(page, host, 'Facts')
  pressed.add(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  await pressFault(page, host, button)
}

async function fence(page: Page, host: string): Promise<void> {
  await page.getByRole('button', { name: 'Host actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as fenced' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Mark as fenced: ${host}` })
  const state = dialog.getByRole('button', { name: 'Mark as fenced' })
  await expect(dialog).toContainText('1 migration waiting for it will continue')
  await expectDisabled(state, `Type ${host} to confirm`)
  await dialog.getByRole('textbox', { name: `Type ${host} to confirm` }).fill(host)
  await expectDisabled(state, 'Reason')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(WHY)
  await state.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main')).toContainText('fenced')
}

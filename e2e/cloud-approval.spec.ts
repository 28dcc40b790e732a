import type { Page } from '@playwright/test'
import { PORT } from './address'
import { mutateApi } from './api'
import { expectAccessible } from './axe'
import { addCloud, allowActions, openPane, request, writesIn } from './cloud-console'
import { expect, SIGNED_OUT, test } from './console'
import { expectDisabled } from './disabled'
import { ReplayedCloud } from './replayed-cloud'
import { OwnServer } from './server'
import { ADMIN, makePerson, type Person, signIn } from './users'

// An action of Nova that needs two people: an operator requests it, an admin approves it, and only then it is sent.

const OTTO: Person = { username: 'otto', password: 'opens-the-e2e-fleet' }
const STOP = { tab: 'instances', row: 'web-0', verb: 'Stop instance' } as const

const server = new OwnServer(PORT + 6)
test.use({ storageState: SIGNED_OUT, baseURL: server.origin })
const cloud = new ReplayedCloud()
let admin: Page
let otto: Page
let address: string

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  const [files] = await Promise.all([cloud.start(), server.startAnew()])
  const signedIn = async (person: Person) => {
    const context = await browser.newContext()
    await signIn(context.request, person)
    return context.newPage()
  }
  admin = await signedIn(ADMIN)
  await makePerson(admin.request, 'operator', OTTO)
  otto = await signedIn(OTTO)
  address = await addCloud(admin, 'prod', files)
  await expect(admin.getByText('Healthy: no findings among 6 instances on 3 hosts.')).toBeVisible()
  await allowActions(admin, address)
  await mutateApi(admin.request, 'setting.setRules', { secondPerson: ['cloud'], readAt: null, reason: 'by two' })
})

test.afterAll(async () => {
  await Promise.all([admin?.context().close(), otto?.context().close()])
  await Promise.all([cloud.stop(), server.stop()])
})

const awaiting = (page: Page) =>
  page.getByRole('region', { name: 'Awaiting approval' }).locator('> *').filter({ hasText: 'Stops web-0' })

test('an action of Nova is sent once another user approved it, in the name of both', async () => {
  await test.step('the request sends nothing, and its author may not approve it', async () => {
    await request(otto, address, { ...STOP, confirm: 'Request approval: stop instance' })
    await expect(otto.getByText('Nothing changes until a second person approves it.')).toBeVisible()
    await otto.goto('/heal')
    await expectDisabled(awaiting(otto).getByRole('button', { name: 'Approve' }), /second person/)
    await expectAccessible(otto, 'an action of Nova that awaits approval')
    expect(writesIn(cloud.log)).toEqual([])
  })

  await test.step('an admin approves it', async () => {
    await admin.goto('/heal')
    await awaiting(admin).getByRole('button', { name: 'Approve' }).click()
    const dialog = admin.getByRole('alertdialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('seen on the console')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect(awaiting(admin)).toBeHidden()
  })

  await test.step('the instance stops, and its entry names both', async () => {
    const pane = await openPane(otto, address, STOP)
    const entry = pane.getByRole('list', { name: 'Requested actions' }).getByRole('listitem').first()
    await expect(entry).toHaveText(/^done/, { timeout: 180_000 })
    await expect(entry).toContainText('otto')
    await expect(entry).toContainText('approved by admin: seen on the console')
    expect(writesIn(cloud.log)).toHaveLength(1)
  })
})

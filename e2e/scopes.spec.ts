import type { APIRequestContext } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { expectDisabled } from './disabled'
import { bestHost, openHost, openInstance, openMigrateDrawer, pickHost, startOn } from './operator-actions'
import { readTable } from './table'
import { makePerson, signIn } from './users'

// A user who is operator in one zone only: permitted actions work there, and all others say why they are unavailable.

const INES = { username: 'ines', password: 'opens-the-e2e-fleet' }
const HERE = 'az-1'
const WHY = /Your role operator applies to zone az-1; (\S+) is in zone az-2/

test('an operator of one zone migrates only inside it, in the console and through the API', async ({
  page,
  browser,
  baseURL,
}) => {
  await makePerson(page.request, 'viewer', INES)
  const context = await browser.newContext({ storageState: SIGNED_OUT, baseURL: baseURL ?? '' })
  await signIn(context.request, INES)
  const ines = await context.newPage()
  const hosts = await listed<{ id: string; name: string; zone: string }>(page.request, 'host.list')
  const zoneOf = new Map(hosts.map(({ name, zone }) => [name, zone]))

  await test.step('an admin grants the role, with a reason', async () => {
    await page.goto('/users')
    const row = page.getByRole('table', { name: 'Users' }).getByRole('row', { name: /ines/ })
    await row.getByRole('button', { name: 'Actions for ines' }).click()
    await page.getByRole('menuitem', { name: 'Change scoped roles' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('combobox', { name: 'Zone, cloud or host' }).fill(HERE)
    await page.getByRole('option', { name: `zone ${HERE}` }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByRole('listitem')).toContainText(`Operator in zone ${HERE}`)
    await expectAccessible(page, 'scoped roles of a user')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('night shift')
    await dialog.getByRole('button', { name: 'Change scoped roles' }).click()
    await expect(row).toContainText(`Operator in zone ${HERE}`)
  })

  const instances = await listed<Movable>(context.request, 'instance.list')
  const mine = instances.find(
    ({ host, permitted }) => zoneOf.get(host?.name ?? '') === HERE && permitted['live-migrate'].ok,
  )
  if (!mine) throw new Error(`no instance in ${HERE} can be migrated`)

  await test.step('the drawer offers hosts of the zone and a reason for the others', async () => {
    await openInstance(ines, mine.name)
    const drawer = await openMigrateDrawer(ines, 'Live-migrate', mine.name)
    expect(zoneOf.get(await bestHost(drawer))).toBe(HERE)
    const verdicts = await readTable(drawer.getByRole('table', { name: 'Verdict' }))
    const other = verdicts.find(({ Host }) => zoneOf.get(Host ?? '') === 'az-2')?.Host ?? ''
    await expectDisabled(await pickHost(drawer, other), WHY)
    await startOn(ines, drawer, await bestHost(drawer))
  })

  await test.step('a host of another zone offers no action and says why', async () => {
    const elsewhere = hosts.find(({ zone }) => zone === 'az-2')
    await openHost(ines, elsewhere?.name ?? '')
    await ines.getByRole('button', { name: 'Host actions' }).click()
    await expect(ines.getByRole('menuitem', { name: /Mark as down/ })).toContainText(WHY)
    await ines.keyboard.press('Escape')
  })

  await test.step('the server refuses the same', async () => {
    const there = hosts.find(({ zone }) => zone === 'az-2')?.id
    const answer = await context.request.post('/api/trpc/migrate.start', {
      data: { instance: mine.id, operation: 'live-migrate', host: there },
      headers: { origin: baseURL ?? '' },
    })
    expect(answer.status()).toBe(403)
    expect((await answer.json()).error.message).toMatch(WHY)
    const settings = await context.request.get('/api/trpc/user.list')
    expect(settings.status()).toBe(403)
  })
  await context.close()
})

interface Movable {
  readonly id: string
  readonly name: string
  readonly host: { readonly name: string } | null
  readonly permitted: Readonly<Record<string, { readonly ok: boolean }>> & {
    readonly 'live-migrate': { readonly ok: boolean }
  }
}

async function listed<Row>(request: APIRequestContext, procedure: string): Promise<readonly Row[]> {
  const input = encodeURIComponent(JSON.stringify({ limit: 2_000 }))
  const answer = await request.get(`/api/trpc/${procedure}?input=${input}`)
  return (await answer.json()).result.data.rows
}

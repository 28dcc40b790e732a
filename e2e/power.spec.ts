import type { APIRequestContext } from '@playwright/test'
import { mutateApi, queryApi } from './api'
import { expectAccessible } from './axe'
import { expect, test } from './console'
import { readTable } from './table'

// A host loses power and comes back. Its instances are shown as shut down, never as running; a finding and the
// attention list report them; one button starts all of them; and the list shows them as running again.

test.use({ contextOptions: { reducedMotion: 'reduce' } })

interface HostRow {
  readonly id: string
  readonly name: string
  readonly instances: number
  readonly contact: string
}

/** A reachable host with a few instances and no migration. */
async function quietHost(request: APIRequestContext): Promise<HostRow> {
  const { rows } = await queryApi<{ rows: readonly (HostRow & { movesIn: number; movesOut: number })[] }>(
    request,
    'host.list',
    {},
  )
  const host = rows.find(
    ({ instances, contact, movesIn, movesOut }) =>
      instances > 2 && instances < 30 && contact === 'answering' && movesIn + movesOut === 0,
  )
  if (!host) throw new Error('every host is busy')
  return host
}

test('Berth recognizes a host power cycle, and one button starts all its instances', async ({ page }) => {
  const host = await quietHost(page.request)
  await mutateApi(page.request, 'simulator.fault', { do: 'power-cycle', host: host.id })
  const off = async () =>
    (await queryApi<{ instances: readonly unknown[] }>(page.request, 'power.returned', { host: host.id })).instances
      .length
  await expect.poll(off, { message: 'instances found off', timeout: 150_000 }).toBe(host.instances)

  await page.goto(`/instances?q=host%3A${host.name}`)
  const instances = page.getByRole('table', { name: 'Instances' })
  await expect.poll(async () => (await readTable(instances)).length).toBe(host.instances)
  const power = async () => [...new Set((await readTable(instances)).map(({ Power = '' }) => Power))]
  expect(await power()).toEqual(['shut down'])
  await expectAccessible(page, 'instances that are off')

  await mutateApi(page.request, 'finding.audit', {})
  await page.goto('/overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toContainText(`${host.instances} instances off since it went down.`)
  await page.goto('/heal?q=kind%3Aguest-off')
  const findings = await queryApi<{ total: number }>(page.request, 'finding.list', {
    host: host.id,
    kind: ['instance-shut-down'],
  })
  expect(findings.total).toBe(host.instances)

  await page.goto(`/hosts/${host.id}`)
  await page.getByRole('button', { name: 'Start instances that ran here before' }).click()
  await expect(page.getByText(`Start of ${host.instances} instances accepted`).first()).toBeVisible()
  await page.goto(`/instances?q=host%3A${host.name}`)
  await expect.poll(power, { message: 'all run again', timeout: 90_000 }).toEqual(['running'])
  expect(await off()).toBe(0)
})

test('a bulk stop shows its consequences, requires a reason, and lists refusals', async ({ page }) => {
  const host = await quietHost(page.request)
  await page.goto(`/instances?q=host%3A${host.name}`)
  const instances = page.getByRole('table', { name: 'Instances' })
  await expect.poll(async () => (await readTable(instances)).length).toBe(host.instances)
  const change = page.getByRole('button', { name: 'Change power' })
  await expect(change).toHaveAttribute('aria-disabled', 'true')
  for (const n of [1, 2]) await instances.getByRole('checkbox').nth(n).press('Space')
  await change.click()
  await expect(page.getByRole('menuitem', { name: /^Start 2 instances/ })).toContainText(
    'It must be shut down; it is running.',
  )
  await page.getByRole('menuitem', { name: /^Pause 2 instances/ }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Pause 2 instances' })
  await expect(dialog).toContainText('It keeps its claim.')
  await expectAccessible(page, 'a bulk power dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('a look at its memory')
  await dialog.getByRole('button', { name: 'Pause 2 instances' }).click()
  const states = async () => (await readTable(instances)).map(({ Power = '' }) => Power).sort()
  await expect.poll(async () => (await states()).filter((state) => state === 'paused').length).toBe(2)
  const { rows } = await queryApi<{ rows: readonly { id: string; vmState: string }[] }>(page.request, 'instance.list', {
    host: host.id,
  })
  const ids = rows.filter(({ vmState }) => vmState === 'paused').map(({ id }) => id)
  await mutateApi(page.request, 'power.request', { ids, action: 'resume' })
  await expect.poll(async () => [...new Set(await states())]).toEqual(['running'])
})

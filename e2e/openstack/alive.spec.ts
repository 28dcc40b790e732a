import { addCloud, allowActions, fence, writesIn } from '../cloud-console'
import { FindingsPage, FOUND_MS, runPlacementTool } from './findings-page'
import { expect, test, whySkipped } from './on-rig'
import { until } from './real-cloud'
import { freeze } from './stuck'

// A hanging nova-compute looks like a dead one, and an operator wrongly attests that its host is powered off.

// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whySkipped !== null, whySkipped ?? '')
test.describe.configure({ mode: 'serial', timeout: 900_000 })

/** A report this soon after an attestation proves nothing. */
const REPORT_SLACK_MS = 6_000

test('Berth refuses each plan for a host once its nova-compute is alive again', async ({ stand }) => {
  const { rig, page } = stand
  await rig.cloud.flavor('small', 1)
  const address = await addCloud(page, 'alive', rig)
  await allowActions(page, address)
  const findings = new FindingsPage(page, address)
  const frozen = await freeze(rig, 'cmp4')
  await findings.open()
  await findings.expectOnly(frozen.found)
  await fence(page, address, 'cmp4')
  const attested = Date.now()
  await findings.open()
  await findings.expectOnly([...frozen.found, ...frozen.once])
  await findings.row(frozen.unsure).click()
  await expect(
    findings.pane().getByText(/may have arrived on cmp2 before cmp4 died; nobody checked there/),
  ).toBeVisible()
  await expect(findings.pane().getByRole('button', { name: 'Apply repair' })).toBeHidden()

  const plans = [...frozen.found, ...frozen.once].filter((each) => each !== frozen.unsure)
  const tabs: FindingsPage[] = []
  for (const plan of plans) {
    const tab = new FindingsPage(await page.context().newPage(), address)
    await tab.openRepair(plan)
    await tab.holdBack()
    tabs.push(tab)
  }
  const writes = () => writesIn(rig.log)
  const sent = writes().length
  rig.signal('cmp4', 'SIGCONT')
  await until('cmp4 reports again', async () => (await rig.cloud.reportOf('cmp4')) > attested + REPORT_SLACK_MS)
  for (const tab of tabs) {
    await tab.press()
    await expect(tab.page.getByText(/not sent|Nothing was sent/).first()).toBeVisible()
    await tab.page.close()
  }
  expect(writes().slice(sent)).toEqual([])
  await frozen.resume()
  await findings.open()
  await expect(findings.none()).toBeVisible({ timeout: FOUND_MS })
  expect(await runPlacementTool(rig, 'audit')).toBe('')
})

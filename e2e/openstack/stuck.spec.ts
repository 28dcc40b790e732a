import { addCloud, allowActions, fence } from '../cloud-console'
import { FindingsPage, FOUND_MS, runPlacementTool } from './findings-page'
import { expect, test, whySkipped } from './on-rig'
import type { Rig } from './rig'
import { EVACUATED_HOLDS, leaveResized, STATES, type StuckState } from './stuck'

// States in which a real Nova gets stuck: each is found, explained and repaired through the console, and nothing else
// changes.

// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whySkipped !== null, whySkipped ?? '')
test.describe.configure({ mode: 'serial', timeout: 900_000 })

let rig: Rig
let address: string
let findings: FindingsPage
const stuck: StuckState[] = []
let before: ReadonlyMap<string, string>

test.beforeAll(async ({ stand }) => {
  ;({ rig } = stand)
  await rig.cloud.flavor('small', 1)
  // Its record is backdated, so no query for changes would report it: make it before the first poll.
  stuck.push(...(await leaveResized(rig)))
  address = await addCloud(stand.page, 'stuck', rig)
  await allowActions(stand.page, address)
  findings = new FindingsPage(stand.page, address)
})

test('Berth finds each stuck state with its cause, and nothing else', async () => {
  const right = await rig.cloud.boot('right', 'cmp2')
  await rig.cloud.untilRecords(right, 'boot', ({ state }) => state === 'active rests')
  for (const make of STATES) stuck.push(...(await make(rig)))
  await findings.open()
  await findings.expectOnly(stuck)
  for (const each of stuck) {
    await findings.row(each).click()
    await expect(findings.pane().getByText(each.cause), each.title).toBeVisible()
  }
  console.log(await runPlacementTool(rig, 'heal_allocations', '--dry-run'))
  console.log(await runPlacementTool(rig, 'audit'))
  before = await rig.cloud.everything()
})

test('one plan repairs each stuck state and touches no correct record', async ({ stand: { page } }) => {
  for (const host of ['cmp3', 'cmp4']) await fence(page, address, host)
  for (const each of stuck) await findings.repair(each)
  // The instance left behind now holds its dead host, as the other one did.
  await findings.repair({ title: EVACUATED_HOLDS, about: 'stranded-1' })
  await expect(findings.none()).toBeVisible({ timeout: FOUND_MS })
  for (const { instance } of stuck) {
    const records = await rig.cloud.records(instance)
    expect([records.state, records.held, records.heldByMigrations]).toEqual(['active rests', [records.host], []])
  }
  const after = await rig.cloud.everything()
  const mine = new Set(stuck.flatMap(({ written }) => written))
  const right = [...before].filter(([key]) => !mine.has(key.split(' ')[1] ?? ''))
  expect(right.length).toBeGreaterThan(5)
  for (const [key, value] of right) expect(`${key}: ${after.get(key)}`).toBe(`${key}: ${value}`)
  expect(await runPlacementTool(rig, 'audit')).toBe('')
  expect(await runPlacementTool(rig, 'heal_allocations', '--dry-run')).toContain('Processed 0 instances')
})

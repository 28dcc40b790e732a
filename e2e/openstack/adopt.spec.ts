import type { Page } from '@playwright/test'
import { addCloud } from '../cloud-console'
import { PLACEMENT } from './config'
import { runPlacementTool } from './findings-page'
import { expect, test, whySkipped } from './on-rig'
import type { RealCloud, Records } from './real-cloud'
import type { Rig } from './rig'

// docs/adopt.md on a real Nova: switches to Berth's Placement and back, with a waiting migration across each switch.

// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whySkipped !== null, whySkipped ?? '')
test.describe.configure({ mode: 'serial', timeout: 600_000 })

let rig: Rig
let page: Page
let berth: string
let cloud: RealCloud
let address: string
/** An instance that awaits confirm or revert, and one that live-migrates. */
const ids = { waits: '', migrates: '' }

test.beforeAll(async ({ stand }) => {
  ;({ rig, page } = stand)
  cloud = rig.cloud
  berth = `${stand.origin}/placement`
  await cloud.flavor('small', 1)
  address = await addCloud(page, 'adopted', rig)
})

const rests = ({ state }: Records) => state === 'active rests'
const waits = ({ state }: Records) => state === 'resized rests'
const isOver = (records: Records) => rests(records) && records.heldByMigrations.length === 0

const copy = (from: string, to: string) =>
  rig.command('npm', 'run', 'cloud', '--', 'placement-copy', '--from', from, '--to', to, '--rate', '50')

async function setEndpoints(url: string): Promise<void> {
  const listed = await rig.command(
    'openstack',
    ...['endpoint', 'list', '--service', 'placement', '-f', 'value', '-c', 'ID'],
  )
  const endpoints = listed.trim().split('\n')
  expect(endpoints).toHaveLength(2)
  for (const each of endpoints) await rig.command('openstack', 'endpoint', 'set', '--url', url, each)
}

/** Stops Nova's writes, copies until both are equal, and lets Nova reread the catalog. */
async function switchTo(to: string, from: string): Promise<void> {
  await rig.stopNova()
  expect(await copy(from, to)).toContain('Equal: 0 allocations differ.')
  await setEndpoints(to)
  cloud.placementAt = to
  await rig.startNova()
  await cloud.untilUp(['cmp1', 'cmp2', 'cmp3', 'cmp4'])
}

async function migrateLive(id: string, host: string): Promise<void> {
  await cloud.act(id, { 'os-migrateLive': { host, block_migration: 'auto' } })
  const records = await cloud.untilRecords(id, 'end', isOver)
  expect([records.host, records.migration, records.held]).toEqual([host, 'completed', [host]])
}

async function beginCold(id: string, host: string): Promise<void> {
  await cloud.act(id, { migrate: { host } })
  const records = await cloud.untilRecords(id, 'finish', waits)
  expect([records.held, records.heldByMigrations]).toEqual([[host], [expect.not.stringMatching(host)]])
}

/** Neither Nova's own audit nor Berth's, which finds Placement in the catalog, reports anything. */
async function expectNothingWrong(): Promise<void> {
  expect(await runPlacementTool(rig, 'audit')).toBe('')
  await page.goto(`${address}?tab=findings`)
  await expect(page.getByText('No findings')).toBeVisible({ timeout: 120_000 })
}

test('Berth copies Placement while Nova works, with a live migration under way', async () => {
  ids.waits = await cloud.boot('waits', 'cmp1')
  ids.migrates = await cloud.boot('moves', 'cmp2', 15)
  for (const id of Object.values(ids)) await cloud.untilRecords(id, 'boot', rests)
  await cloud.act(ids.migrates, { 'os-migrateLive': { host: 'cmp3', block_migration: 'auto' } })
  await cloud.untilRecords(ids.migrates, 'copy', ({ migration }) => migration === 'running')
  // Concurrent writes make the copy end with differences.
  const output = await copy(PLACEMENT, berth).catch(String)
  expect(output).toMatch(/\d+ writes\.[\s\S]*(Equal|Different): /)
  const records = await cloud.untilRecords(ids.migrates, 'end', isOver)
  expect(records.host).toBe('cmp3')
})

test('Nova switches to Berth, and a waiting resize is confirmed there', async () => {
  await beginCold(ids.waits, 'cmp2')
  await switchTo(berth, PLACEMENT)
  await cloud.act(ids.waits, { confirmResize: null })
  const records = await cloud.untilRecords(ids.waits, 'confirm', isOver)
  expect([records.host, records.migration, records.held]).toEqual(['cmp2', 'confirmed', ['cmp2']])
  await migrateLive(ids.migrates, 'cmp4')
  const booted = await cloud.boot('booted', 'cmp1')
  expect((await cloud.untilRecords(booted, 'boot', rests)).held).toEqual(['cmp1'])
  await expectNothingWrong()
})

test('Nova switches back to its own Placement, and a waiting resize is reverted there', async () => {
  await beginCold(ids.waits, 'cmp3')
  await expect(copy(PLACEMENT, berth)).rejects.toThrow('which is never overwritten')
  await switchTo(PLACEMENT, berth)
  await cloud.act(ids.waits, { revertResize: null })
  const records = await cloud.untilRecords(ids.waits, 'revert', isOver)
  expect([records.host, records.migration, records.held]).toEqual(['cmp2', 'reverted', ['cmp2']])
  await migrateLive(ids.migrates, 'cmp1')
  await expectNothingWrong()
})

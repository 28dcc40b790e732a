import { describe, expect, it } from 'vitest'
import { openCloud } from './client'
import { isReached, type ProbeReport, probeCloud } from './probe'
import type { CloudSettings } from './settings/cloud-settings'
import { Secret } from './settings/secret'
import { boot, emptyCloud } from './testing/cloud-state'
import { type ReplayOptions, replayCloud } from './testing/replayed-cloud'

const FORBIDDEN = { status: 403, body: { forbidden: { code: 403, message: 'Policy does not allow it' } } }

async function probe(options: ReplayOptions = {}, change: (settings: CloudSettings) => CloudSettings = (same) => same) {
  const state = emptyCloud(2, Date.UTC(2026, 10, 25))
  boot(state, 'cmp1')
  const cloud = await replayCloud(state, options)
  const client = await openCloud(change(cloud.settings), { requestsPerSecond: 1_000, retries: 0 })
  try {
    return { report: await probeCloud(client), log: cloud.log }
  } finally {
    await Promise.all([client.close(), cloud.close()])
  }
}

const states = ({ steps }: ProbeReport) => Object.fromEntries(steps.map(({ name, state }) => [name, state]))

describe('the probe of a cloud', () => {
  it('shows each step, the versions in use and what no API reports', async () => {
    const { report, log } = await probe()
    expect(report).toMatchObject({ rights: 'all' })
    expect(new Set(Object.values(states(report)))).toEqual(new Set(['ok']))
    const says = report.steps.map((step) => step.says).join('\n')
    expect(says).toContain('reader in project admin, roles: admin')
    expect(says).toContain('microversions 2.1 to 2.93, read with 2.93')
    expect(says).toContain('microversions 1.0 to 1.39, read with 1.39')
    expect(report.unknown.join('\n')).toContain('NUMA nodes and free CPUs of a host')
    expect(log.filter((line) => !line.startsWith('GET '))).toEqual(['POST /identity/v3/auth/tokens'])
  })

  it('shows missing rights, and what stays unknown without them', async () => {
    const { report } = await probe({
      answers: { '/compute/v2.1/os-migrations': FORBIDDEN, '/placement/resource_providers': FORBIDDEN },
    })
    expect(isReached(report)).toBe(true)
    expect(report.rights).toBe('some')
    expect(states(report)).toMatchObject({ Migrations: 'failed', Allocations: 'failed', Hypervisors: 'ok' })
    expect(report.unknown.slice(0, 2)).toEqual([
      'migrations, so nothing that is stuck',
      'allocations and providers, so nothing that is leaked',
    ])
  })

  it('shows an answer that is not as the API says as a failed step', async () => {
    const strange = { status: 200, body: { servers: [{ id: 7 }] } }
    const { report } = await probe({ answers: { '/compute/v2.1/servers/detail': strange } })
    expect(states(report)).toMatchObject({ 'Instances of all projects': 'failed', Migrations: 'ok' })
    const step = report.steps.find(({ name }) => name === 'Instances of all projects')
    expect(step?.says).toContain('the answer is not as the API says')
    expect(isReached(report)).toBe(true)
  })

  it('stops at a refused sign-in without trying further steps', async () => {
    const { report, log } = await probe({}, (settings) => ({
      ...settings,
      credential: { ...settings.credential, password: new Secret('wrong') } as CloudSettings['credential'],
    }))
    expect(states(report)).toEqual({
      ...{ Keystone: 'ok', 'Sign-in': 'failed', Catalog: 'skipped', Nova: 'skipped', Placement: 'skipped' },
    })
    expect(report).toMatchObject({ rights: 'unknown' })
    expect(isReached(report)).toBe(false)
    expect(log.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  it('shows the regions of the catalog when the configured one does not exist', async () => {
    const { report } = await probe({}, (settings) => ({ ...settings, region: 'RegionTwo' }))
    const catalog = report.steps.find(({ name }) => name === 'Catalog')
    expect(catalog?.says).toContain('no public endpoint of Nova in region "RegionTwo"; regions with one: RegionOne')
  })

  it('refuses a Nova that is too old', async () => {
    const old = { status: 200, body: { version: { id: 'v2.1', version: '2.38', min_version: '2.1' } } }
    const { report } = await probe({ answers: { '/compute/v2.1/': old } })
    expect(report.steps.find(({ name }) => name === 'Nova')).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('Berth needs microversion 2.53 (it has 2.1 to 2.38)'),
    })
  })
})

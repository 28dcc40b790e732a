import { describe, expect, it } from 'vitest'
import { openCloud } from '../cloud/client'
import { boot, type CloudState, emptyCloud } from '../cloud/testing/cloud-state'
import { replayCloud } from '../cloud/testing/replayed-cloud'
import { planRepairs } from '../engine/cloud/plan'
import { runCloudAudit } from './cloud-audit'
import { auditLines, notRead, planLines } from './cloud-finding-texts'
import { clockLine, snapshotLines, tableLines } from './cloud-texts'

/** The cloud's clock advances by a second with each response. */
function withTickingClock(state: CloudState): CloudState {
  let now = state.clockMs + 60_000
  return Object.defineProperty(state, 'clockMs', {
    get() {
      now += 1_000
      return now
    },
  })
}

async function audited(damage: (state: CloudState) => void) {
  const state = emptyCloud(2, Date.UTC(2026, 10, 25, 12))
  for (const host of ['cmp1', 'cmp2']) boot(state, host)
  damage(state)
  const cloud = await replayCloud(withTickingClock(state))
  const client = await openCloud(cloud.settings, { requestsPerSecond: 1_000 })
  try {
    return { ...(await runCloudAudit(client, { pins: 'asked', waitMs: 0, otherClients: [] })), log: cloud.log }
  } finally {
    await Promise.all([client.close(), cloud.close()])
  }
}

describe('the audit of a cloud from the command line', () => {
  it('reports nothing for a correct cloud, and sends only GETs and the sign-in', async () => {
    const { findings, snapshot, log } = await audited(() => {})
    expect(auditLines(findings, snapshot)).toEqual([
      'No findings. Checked: 2 instances, 0 migrations, 2 hypervisors, 2 providers.',
    ])
    expect(log.filter((line) => !line.startsWith('GET '))).toEqual(['POST /identity/v3/auth/tokens'])
    expect(snapshotLines(snapshot).join('\n')).toContain('2 consumers have allocations from 2 providers')
  })

  it('reports a fault with the evidence of both services, and the calls that repair it', async () => {
    const { findings, snapshot, settings } = await audited(({ providers }) => {
      for (const provider of providers.slice(0, 1)) {
        provider.allocations.clear()
        provider.generation++
      }
    })
    const text = auditLines(findings, snapshot).join('\n')
    expect(text).toContain('CRITICAL  An instance has no allocation\n  instance web-0 (')
    expect(text).toMatch(/Nova {6}2026-11-25T12:\S+Z {2}active on cmp1, running/)
    expect(text).toMatch(/Placement 2026-11-25T12:\S+Z {2}the instance holds nothing/)
    expect(text).toContain('1 finding: 1 critical, 0 warning, 0 info.')
    const plan = planLines(planRepairs({ findings, snapshot, settings })).join('\n')
    expect(plan).toMatch(/before {2}instance web-0 holds nothing\n {2}after {3}instance web-0 holds .* on cmp1/)
    expect(plan).toContain('placement POST /allocations (microversion 1.28)')
  })

  it('reports what it could not check', async () => {
    const { snapshot } = await audited(({ servers }) => {
      for (const row of servers) delete row['OS-EXT-SRV-ATTR:host']
    })
    expect(notRead(snapshot)).toEqual([expect.stringContaining('instances: Nova does not tell this account')])
  })
})

describe('the printed report', () => {
  it('has columns as wide as their widest cell', () => {
    expect(
      tableLines([
        ['A', 'B'],
        ['long', 'x'],
      ]),
    ).toEqual(['A     B', 'long  x'])
  })

  it('mentions the clock only when it is wrong', () => {
    expect(clockLine(1_400)).toBeNull()
    expect(clockLine(-3_600_000)).toContain('3600 s behind')
  })
})

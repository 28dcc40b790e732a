import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditCloud } from '../engine/cloud/audit'
import { failedGuards } from '../engine/cloud/guard'
import { planRepairs } from '../engine/cloud/plan'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import { type RecordedAnswer, type RecordedCloud, recordedSnapshot } from './testing/recorded'
import fixture from './testing/recorded.json'

// Answers of a real Nova 26.2.2 and Placement 8 that contain stuck states. The extract in the repository has what the
// audit reads; where the full recordings are available, they are read too.

const SHARED = join(import.meta.dirname, '../../../shared/tools/nova-lab/answers')

function sharedAnswers(folder: string): readonly RecordedAnswer[] {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))
  return readdirSync(folder).flatMap((name) => {
    const row = index[name]
    if (row?.status !== 200 || name.includes('limit=2') || name.includes('2.93--os-hypervisors')) return []
    return [{ path: row.path, date: row.date, body: JSON.parse(readFileSync(join(folder, name), 'utf8')) }]
  })
}

const extract = (rig: keyof typeof fixture): readonly RecordedAnswer[] => Object.values(fixture[rig])

function audited(cloud: RecordedCloud) {
  const before = recordedSnapshot({ ...cloud, earlierMs: 20_000 })
  const after = recordedSnapshot(cloud)
  return { after, findings: auditCloud({ before, after }) }
}
const kindsOf = (cloud: RecordedCloud) =>
  audited(cloud)
    .findings.map(({ kind, object }) => `${kind} ${object.name}`)
    .sort()

const FAKE = [
  'allocation-missing state-lost',
  'allocations-swapped state-preparing',
  'allocations-swapped state-running',
  'confirm-stuck state-confirming',
  'evacuated-holds-source state-evacuated',
  'service-down cmp2',
]
const LIBVIRT = [
  'allocations-swapped state-moved',
  'allocations-swapped state-preparing',
  'allocations-swapped state-running',
  'evacuated-holds-source state-evacuated',
]

describe('recorded answers', () => {
  test('of computes without instances have exactly the known stuck states as findings', () => {
    expect(kindsOf({ answers: extract('fake') })).toEqual(FAKE)
  })

  test('of libvirt hosts have the swapped allocations as findings, and none about pins', () => {
    expect(kindsOf({ answers: extract('libvirt') })).toEqual(LIBVIRT)
  })

  test.skipIf(!existsSync(SHARED))('in full give the same findings, where the recordings are available', () => {
    expect(kindsOf({ answers: sharedAnswers(SHARED) })).toEqual(FAKE)
    expect(kindsOf({ answers: sharedAnswers(join(SHARED, 'libvirt')) })).toEqual(LIBVIRT)
  })

  test('get a repair plan only where it needs no guess', () => {
    const { after, findings } = audited({ answers: extract('fake') })
    const plan = planRepairs({ findings, snapshot: after })
    expect(plan.repairs.map(({ finding }) => finding.object.name).sort()).toEqual([
      ...['state-lost', 'state-preparing', 'state-running'],
    ])
    expect(plan.leftOut.map(({ finding }) => finding.object.name).sort()).toEqual([
      ...['cmp2', 'state-confirming', 'state-evacuated'],
    ])
    const dead = audited({ answers: extract('fake'), deadHosts: ['cmp2', 'cmp3'] })
    const all = planRepairs({ findings: dead.findings, snapshot: dead.after })
    expect(all.leftOut).toEqual([])
  })

  test('allow no call before a second read, and every call when it reads the same', () => {
    const { after, findings } = audited({ answers: extract('fake') })
    const plan = planRepairs({ findings, snapshot: after })
    const failures = (now: CloudSnapshot) => plan.steps.map(({ call }) => failedGuards(now, call.guards, plan.at))
    expect(failures(after).every(({ length }) => length > 0)).toBe(true)
    const later = recordedSnapshot({ answers: extract('fake'), earlierMs: -20_000 })
    expect(failures(later).flat()).toEqual([])
  })

  test('do not swap back the allocations of an instance that arrived while nova-compute was dead', () => {
    const { after, findings } = audited({ answers: extract('libvirt') })
    const plan = planRepairs({ findings, snapshot: after })
    expect(plan.leftOut.map(({ finding }) => finding.object.name)).toContain('state-moved')
    expect(plan.repairs.map(({ finding }) => finding.object.name).sort()).toEqual(['state-preparing', 'state-running'])
  })
})

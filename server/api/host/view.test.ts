import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withHolding } from '../../engine/holdings'
import type { Host } from '../../engine/host'
import type { Migration, StepRecord } from '../../engine/migration/state'
import { hostId, instanceId, migrationId, smallHost } from '../../engine/testing/hosts'
import { demandFor, flavor, holdingOf, pinned, planOn, withInstance } from '../../engine/testing/instances'
import { NO_FINDINGS } from '../../store/finding/count'
import { mappingView } from '../claim/mapping'
import { markOf } from '../claim/view'
import { heldSpans } from '../migration/spans'
import { actionTrail } from '../migration/view'
import { namesFrom } from '../names/names'
import { hostPermits } from '../permit/permits'
import { everywhere } from '../permit/rights'
import { hostMapView } from './map'
import { hostRow, NO_NOTES, NO_TRAFFIC } from './view'

const names = namesFrom({ hosts: new Map(), instances: new Map(), migrations: new Map() })
const map = (host: Host) => hostMapView(host, { names, active: new Map(), seq: '1' })

describe('the map of a host', () => {
  const instances = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 5 })
  const crowded = (sizes: readonly number[]) =>
    sizes.reduce((host, size, n) => withInstance(host, n, pinned(size)), smallHost({ cores: 8, vfs: 2, shared: 2 }))

  test('shows every CPU once and every held unit at its holder', () => {
    fc.assert(
      fc.property(instances, (sizes) => {
        const host = crowded(sizes)
        const view = map(host)
        const cpus = view.cells.flatMap((node) => node.cores.flatMap((core) => core.threads))
        expect(cpus.map((cpu) => cpu.id).sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, id) => id))
        for (const cpu of cpus) expect(cpu.holders.length).toBeLessThanOrEqual(1)
        const held = cpus.filter((cpu) => cpu.holders.length > 0).length
        expect(held).toBe(host.holdings.flatMap(({ body }) => body.units).filter((unit) => unit.kind === 'cpu').length)
      }),
      { numRuns: 30 },
    )
  })

  test('shows how much of each NUMA node each holder has, and the parts add up', () => {
    fc.assert(
      fc.property(instances, (sizes) => {
        for (const node of map(crowded(sizes)).cells) {
          expect(node.memoryBy.reduce((sum, part) => sum + part.amount, 0)).toBe(node.memoryUsedMib)
          for (const pool of node.pages) {
            expect(pool.by.reduce((sum, part) => sum + part.amount, 0)).toBe(pool.used)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('shows a CPU that two claims hold with two holders', () => {
    const host = smallHost()
    const plan = planOn(host, demandFor(pinned(2)))
    const doubled = withHolding(withHolding(host, holdingOf(1, plan)), holdingOf(2, plan))
    const twice = map(doubled).cells.flatMap((node) => node.cores.flatMap((core) => core.threads))
    expect(twice.filter((cpu) => cpu.holders.length === 2)).toHaveLength(2)
  })

  test('counts vCPUs that are not pinned, also those that no NUMA node is chosen for', () => {
    const floats = withInstance(smallHost({ shared: 4 }), 1, flavor(3))
    expect(map(floats).floatingVcpus).toBe(3)
    expect(map(withInstance(floats, 2, pinned(2))).floatingVcpus).toBe(3)
  })

  test('puts VFs under their PF, and blocks the PF while one is held', () => {
    const host = smallHost({ cells: 1, vfs: 3 })
    const instance = withInstance(host, 1, pinned(2, { 'pci_passthrough:alias': 'vf:1' }))
    const [device] = map(instance).cells[0]!.devices
    expect(device).toMatchObject({ role: 'pf', state: 'blocked' })
    expect(device!.children.map(({ role, state }) => [role, state]).sort()).toEqual([
      ['vf', 'free'],
      ['vf', 'free'],
      ['vf', 'held'],
    ])
  })

  test('shows a GPU that is not a unit itself as a group', () => {
    const [cell] = map(smallHost({ cells: 1, vgpus: 2 })).cells
    expect(cell!.devices).toMatchObject([
      { role: 'gpu', children: [{ role: 'vgpu', state: 'free' }, { role: 'vgpu' }] },
    ])
  })
})

test('a row counts pinned CPUs and has a permit for each action', () => {
  const host = withInstance(smallHost(), 1, pinned(4))
  const row = hostRow(host, {
    rights: everywhere('viewer'),
    notes: NO_NOTES,
    traffic: NO_TRAFFIC,
    findings: NO_FINDINGS,
  })
  expect(row).toMatchObject({ pinned: { used: 4, total: 16 }, instances: 1, cells: 2 })
  expect(Object.values(row.permitted).every((permit) => !permit.ok)).toBe(true)
})

test.each([
  ['up', 'enabled', ['down', 'fenced', 'lost', 'disable']],
  ['down', 'disabled', ['up', 'fenced', 'lost', 'enable']],
  ['lost', 'enabled', ['disable']],
  ['up', 'quarantined', ['down', 'fenced', 'lost']],
] as const)('a host that is %s and %s permits %j', (status, scheduling, actions) => {
  const permits = hostPermits({ name: 'h1', zone: null, status, scheduling, kind: 'real' }, everywhere('operator'))
  expect(Object.entries(permits).flatMap(([action, permit]) => (permit.ok ? [action] : []))).toEqual(actions)
})

test('a read-only host cannot be enabled', () => {
  const readOnly = { name: 'h1', zone: null, status: 'up', kind: 'read-only' } as const
  const { enable, disable } = hostPermits({ ...readOnly, scheduling: 'disabled' }, everywhere('admin'))
  expect(enable).toMatchObject({ ok: false, why: expect.stringMatching(/only read/) })
  expect(disable.ok).toBe(false)
  expect(hostPermits({ ...readOnly, scheduling: 'enabled' }, everywhere('admin')).disable.ok).toBe(true)
})

test('resource mapping pairs old and new units by what the instance sees', () => {
  const host = smallHost({ vfs: 2 })
  const flavor = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
  const old = planOn(host, demandFor(flavor))
  const beside = withHolding(host, holdingOf(1, old))
  const next = planOn(beside, demandFor(flavor))
  const { cpus, devices, cells } = mappingView(
    { body: old, devices: host.devices },
    { body: next, devices: host.devices },
  )!
  expect(cpus.map(({ key }) => key)).toEqual(['0', '1'])
  for (const cpu of cpus) expect(cpu.old).not.toBe(cpu.new)
  expect(devices[0]!.old!.unit).not.toBe(devices[0]!.new!.unit)
  expect(cells).toHaveLength(1)
  expect(mappingView(null, null)).toBeNull()
  expect(mappingView(null, { body: next, devices: [] })!.cpus.every(({ old: none }) => none === null)).toBe(true)
})

// A migration by its steps: name, direction, start, end.
type Line = readonly [StepRecord['step'], StepRecord['direction'], number, number | null, StepRecord['result']?]
const stepsOf = (lines: readonly Line[]): StepRecord[] =>
  lines.map(([step, direction, startedAt, endedAt, result = 'done'], at) => ({
    ...{ migration: migrationId(1), seq: at + 1, step, direction, startedAt, endedAt },
    ...{ result: endedAt === null ? null : result, note: null },
  }))
const migrationWith = (set: Partial<Migration>) =>
  ({ id: migrationId(1), instance: instanceId(1), createdAt: 0, keepsClaim: false, outcome: null, ...set }) as Migration

describe('held spans of a migration', () => {
  const spans = (migration: Migration, lines: readonly Line[]) =>
    heldSpans(migration, stepsOf(lines), {
      host: (side) => ({ id: hostId(side === 'source' ? 1 : 2), name: side }),
      held: () => null,
    }).map(({ side, holder, from, to }) => `${side} ${holder} ${from}-${to ?? ''}`)

  test.each<[title: string, set: Partial<Migration>, lines: readonly Line[], bars: readonly string[]]>([
    ['before the claim', { step: 'claim' }, [['claim', 'target', 0, null]], ['source instance 0-']],
    [
      'forward',
      { step: 'release' },
      [
        ['claim', 'target', 0, 10],
        ['prepare', 'target', 10, 20],
        ['release', 'target', 20, null],
      ],
      ['source instance 0-10', 'target instance 10-', 'source migration 10-'],
    ],
    [
      'after a rollback',
      { step: 'ended', outcome: 'aborted', stepSince: 40 },
      [
        ['claim', 'target', 0, 10],
        ['transfer', 'target', 10, 30, 'turned-back'],
        ['switch', 'source', 30, 35],
        ['release', 'source', 35, 40],
      ],
      [
        'source instance 0-10',
        'target instance 10-30',
        'source migration 10-30',
        'target migration 30-40',
        'source instance 30-40',
      ],
    ],
    [
      'of a rebuild that keeps its claim',
      { step: 'ended', outcome: 'completed', keepsClaim: true },
      [
        ['claim', 'target', 0, 10],
        ['release', 'target', 10, 20],
      ],
      ['source instance 0-20'],
    ],
    ['refused', { step: 'ended', outcome: 'failed' }, [['claim', 'target', 0, 5, 'failed']], ['source instance 0-5']],
  ])('show both sides %s', (_title, set, lines, bars) => expect(spans(migrationWith(set), lines)).toEqual(bars))
})

describe('a requested action', () => {
  const asked = { requestedAction: 'abort', by: 'olga', reason: null, askedAt: 14, acceptedAt: 15 } as const
  const lines: Line[] = [
    ['claim', 'target', 0, 10],
    ['transfer', 'target', 10, 20],
  ]
  test('is pending while the row has it', () => {
    const trail = actionTrail(asked, migrationWith({ step: 'transfer', requestedAction: 'abort' }), stepsOf(lines))
    expect(trail).toMatchObject({ effectiveAt: null, refused: null })
  })
  test('takes effect where the migration changed direction', () => {
    const steps = stepsOf([...lines, ['switch', 'source', 20, null]])
    expect(actionTrail(asked, migrationWith({ step: 'switch', requestedAction: null }), steps)).toMatchObject({
      effectiveAt: 20,
      refused: null,
    })
  })
  test('comes too late when the migration went on', () => {
    const steps = stepsOf([...lines, ['switch', 'target', 20, null]])
    const { effectiveAt, refused } = actionTrail(asked, migrationWith({ step: 'switch', requestedAction: null }), steps)
    expect({ effectiveAt, refused }).toEqual({ effectiveAt: null, refused: expect.any(String) })
  })
})

test('the claim of the migration is outgoing; that of the instance is incoming after the claim step', () => {
  const of = (step: Migration['step'], consumerKind: 'instance' | 'migration') =>
    markOf({ consumerKind, instance: instanceId(1) }, new Map([[instanceId(1), migrationWith({ step })]]))
  expect(of('claim', 'instance')).toBe('held')
  expect(of('transfer', 'instance')).toBe('incoming')
  expect(of('transfer', 'migration')).toBe('outgoing')
  expect(markOf({ consumerKind: 'instance', instance: instanceId(1) }, new Map())).toBe('held')
})

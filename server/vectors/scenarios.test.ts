import { expect, test } from 'vitest'
import { replayScenario } from './scenarios'

// Traces of kinds that no recording has yet: evacuation and return, abort, failure, shelving. Their states follow
// Nova's documented order. A trace that contradicts Berth's records must fail, otherwise a pass would prove nothing.

const HELD = { DISK_GB: 1, MEMORY_MB: 512, PCPU: 2 }
const CELL = { hostCellId: 0, cpuset: [], pcpuset: [0, 1], cpuPinning: { 0: 0, 1: 1 }, memoryMb: 512, pageSizeKb: null }
const DEVICES = ['0000:81:00.0', '0000:81:01.0']

/** A host of the trace, with the instance's devices allocated or claimed there; null: it holds nothing. */
function host(status: 'allocated' | 'claimed' | null) {
  const used = status !== null
  return {
    vcpusUsed: used ? 2 : 0,
    memoryMbUsed: used ? 1024 : 512,
    localGbUsed: used ? 1 : 0,
    cells: [
      { id: 0, pinnedCpus: used ? [0, 1] : [], cpuUsage: 0, memoryUsageMb: used ? 512 : 0 },
      { id: 1, pinnedCpus: [], cpuUsage: 0, memoryUsageMb: 0 },
    ],
    pci: Object.fromEntries(DEVICES.map((address) => [address, [status ?? 'available', used ? 's1' : null]])),
  }
}

interface TraceState {
  readonly a: Parameters<typeof host>[0]
  readonly b: Parameters<typeof host>[0]
  readonly at: 'host_a' | 'host_b' | null
  readonly vmState?: string
  readonly task?: string
  readonly context?: boolean
  readonly holds: Readonly<Record<string, readonly ('host_a' | 'host_b')[]>>
  readonly move?: readonly [type: string, status: string]
  /** There is no server of that name. */
  readonly gone?: boolean
  /** No host was valid, so it holds nothing. */
  readonly refused?: boolean
}

function state({ a, b, at, vmState = 'active', task, context = false, holds, move, gone, refused }: TraceState) {
  const devices = [a, b].flatMap((status) => (status === 'allocated' ? DEVICES : [])).sort()
  const sides = { migration: 1, oldNuma: [CELL], newNuma: [CELL], oldPci: DEVICES, newPci: DEVICES }
  return {
    hosts: { host_a: host(a), host_b: host(b) },
    servers: {
      ...(!gone && {
        s1: {
          host: at,
          vmState,
          taskState: task ?? null,
          flavor: 'd2',
          numa: refused ? null : [CELL],
          pciDevices: devices,
          migrationContext: context ? sides : null,
        },
      }),
    },
    allocations: Object.fromEntries(
      Object.entries(holds).map(([who, where]) => [who, Object.fromEntries(where.map((name) => [name, HELD]))]),
    ),
    migrations:
      move === undefined
        ? []
        : [{ id: 1, type: move[0], status: move[1], source: 'host_a', dest: 'host_b', server: 's1' }],
  }
}

type Step = readonly [text: string, moment: TraceState]

const replay = (steps: readonly Step[]) =>
  replayScenario({
    id: 'told',
    ...{ steps: steps.map(([step, moment]) => ({ step, state: state(moment), afterAudit: null })) },
  })

const BOOT: Step = ['boot s1 on host_a', { a: 'allocated', b: null, at: 'host_a', holds: { s1: ['host_a'] } }]
const COPYING: Step = [
  'live-migrate to host_b: hypervisor copying',
  {
    a: 'allocated',
    b: 'claimed',
    at: 'host_a',
    task: 'migrating',
    context: true,
    holds: { s1: ['host_b'], 'migration-1': ['host_a'] },
    move: ['live-migration', 'running'],
  },
]
const backHome = (type: string, status: string): TraceState => ({ ...BOOT[1], move: [type, status] })
const afterMigration = (type: string, status: string): TraceState => ({
  a: null,
  b: 'allocated',
  at: 'host_b',
  holds: { s1: ['host_b'] },
  move: [type, status],
})

const EVACUATED: TraceState = {
  a: 'allocated',
  b: 'allocated',
  at: 'host_b',
  vmState: 'stopped',
  holds: { s1: ['host_a', 'host_b'] },
  move: ['evacuation', 'done'],
}

const SCENARIOS: readonly (readonly [string, readonly Step[]])[] = [
  ['live migration', [BOOT, COPYING, ['completed', afterMigration('live-migration', 'completed')]]],
  ['live migration aborted', [BOOT, COPYING, ['abort', backHome('live-migration', 'cancelled')]]],
  ['live migration fails', [BOOT, COPYING, ['live-migrate: rolled back', backHome('live-migration', 'failed')]]],
  ['live migration forced', [BOOT, COPYING, ['force-complete', afterMigration('live-migration', 'completed')]]],
  [
    'cold migration reverted',
    [
      BOOT,
      [
        'cold migrate',
        {
          ...EVACUATED,
          vmState: 'resized',
          context: true,
          holds: { s1: ['host_b'], 'migration-1': ['host_a'] },
          move: ['migration', 'finished'],
        },
      ],
      ['revert', backHome('migration', 'reverted')],
    ],
  ],
  [
    'evacuation and return of the source',
    [
      BOOT,
      ['host_a down', BOOT[1]],
      ['evacuate to host_b', EVACUATED],
      ['host_a comes back', { ...afterMigration('evacuation', 'completed'), vmState: 'stopped' }],
    ],
  ],
  [
    'shelve and unshelve',
    [
      BOOT,
      ['shelve (offloaded)', { a: null, b: null, at: null, vmState: 'shelved_offloaded', holds: {} }],
      ['unshelve to host_b', { a: null, b: 'allocated', at: 'host_b', holds: { s1: ['host_b'] } }],
    ],
  ],
  ['rebuild in place', [BOOT, ['rebuild s1', BOOT[1]]]],
]

const GONE: TraceState = { a: null, b: null, at: null, gone: true, holds: {} }
const REFUSED: TraceState = { a: null, b: null, at: null, vmState: 'error', refused: true, holds: {} }

/** Deleted instances, and instances that Nova keeps in ERROR because no host was valid. */
const ENDINGS: readonly (readonly [string, readonly Step[]])[] = [
  ['delete', [BOOT, ['delete s1', GONE]]],
  ['delete with the server still listed', [BOOT, ['delete s1', { ...GONE, gone: false, vmState: 'deleted' }]]],
  [
    'delete after a live migration, whose record keeps the name',
    [
      BOOT,
      COPYING,
      ['completed', afterMigration('live-migration', 'completed')],
      ['delete s1', { ...GONE, move: ['live-migration', 'completed'] }],
    ],
  ],
  [
    'delete while a resize awaits its confirm',
    [
      BOOT,
      [
        'cold migrate',
        {
          ...{ a: 'allocated', b: 'allocated', at: 'host_b', vmState: 'resized', context: true },
          ...{ holds: { s1: ['host_b'], 'migration-1': ['host_a'] }, move: ['migration', 'finished'] },
        },
      ],
      ['delete s1', { ...GONE, move: ['migration', 'confirmed'] }],
    ],
  ],
  ['refused without a host', [['boot s1: no valid host', REFUSED]]],
  [
    'refused, then deleted',
    [
      ['boot s1: no valid host', REFUSED],
      ['delete s1', GONE],
    ],
  ],
  ['delete, then boot another of the same name', [BOOT, ['delete s1', GONE], BOOT]],
  [
    'refused, deleted, then boot another of the same name',
    [['boot s1: no valid host', REFUSED], ['delete s1', GONE], BOOT],
  ],
]

test.each(ENDINGS)('%s', (_, steps) => {
  expect(replay(steps)).toBeNull()
})

test('a deleted instance that still holds something fails the replay', () => {
  expect(replay([BOOT, ['delete s1', { ...GONE, a: 'allocated', holds: { s1: ['host_a'] } }]])).toContain('host')
})

test.each(SCENARIOS)('%s', (_, steps) => {
  expect(replay(steps)).toBeNull()
})

test.each<readonly [string, readonly Step[], string]>([
  ['a status', [BOOT, ['abort', backHome('live-migration', 'completed')]], 'migrations'],
  ['a holder', [BOOT, [COPYING[0], { ...COPYING[1], holds: { s1: ['host_a'] } }]], 'allocations'],
  ['a device', [BOOT, [COPYING[0], { ...COPYING[1], b: 'allocated' }]], 'hosts.host_b.pci'],
  [
    'a host',
    [BOOT, COPYING, ['done', { ...afterMigration('live-migration', 'completed'), at: 'host_a' }]],
    'servers.s1.host',
  ],
])('a trace with the wrong %s fails the replay', (_, steps, where) => {
  expect(replay(steps)).toContain(where)
})

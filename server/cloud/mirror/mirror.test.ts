import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditCloud } from '../../engine/cloud/audit'
import { isSharing } from '../../engine/cloud/facts'
import type { CloudSnapshot } from '../../engine/cloud/snapshot'
import { openCloud } from '../client'
import { beginMigration, boot, type CloudState, drop, emptyCloud, endMigration, remove } from '../testing/cloud-state'
import { type Fault, type ReplayedCloud, replayCloud } from '../testing/replayed-cloud'
import { CloudMirror } from './mirror'

const AT = Date.UTC(2026, 10, 25, 12)
const HOUR_MS = 3_600_000

/** The cloud's state, as the snapshot must show it. */
const stateShown = ({ servers, migrations, providers }: CloudState) => ({
  servers: Object.fromEntries(
    servers
      .filter(({ status }) => status !== 'DELETED')
      .map((row) => [row.id, [row['OS-EXT-SRV-ATTR:host'], row['OS-EXT-STS:task_state'], row.status]]),
  ),
  migrations: Object.fromEntries(migrations.map((row) => [row.uuid, [row.status, row.dest_compute]])),
  providers: Object.fromEntries(
    providers.map(({ uuid, generation, allocations }) => [uuid, [generation, [...allocations.keys()].sort()]]),
  ),
})

const snapshotShown = ({ servers, migrations, providers }: CloudSnapshot) => ({
  servers:
    servers.isRead && Object.fromEntries(servers.value.map((row) => [row.id, [row.host, row.taskState, row.status]])),
  migrations:
    migrations.isRead && Object.fromEntries(migrations.value.map((row) => [row.uuid, [row.status, row.targetHost]])),
  providers:
    providers.isRead &&
    Object.fromEntries(
      providers.value.map(({ id, generation, allocations }) => [
        ...[id, [generation, allocations.isRead && [...allocations.value.keys()].sort()]],
      ]),
    ),
})

type Step =
  | { readonly do: 'boot' | 'remove' | 'begin' | 'end'; readonly pick: number }
  | { readonly do: 'clock'; readonly hours: number }
  | { readonly do: 'poll'; readonly faults: readonly (Fault | null)[] }

const TICK_MS = 5_000

function change(state: CloudState, step: Exclude<Step, { do: 'poll' }>) {
  if (step.do === 'clock') {
    state.clockMs += step.hours * HOUR_MS
    return
  }
  const hosts = state.providers.map(({ name }) => name)
  const host = hosts[step.pick % hosts.length] ?? ''
  if (step.do === 'boot') return boot(state, host)
  if (step.do === 'end') {
    const running = state.migrations.filter(({ status }) => status === 'running')
    const migration = running[step.pick % running.length]
    return migration && endMigration(state, migration)
  }
  const resting = state.servers.filter(({ status }) => status === 'ACTIVE')
  const server = resting[step.pick % resting.length]
  if (!server) return
  if (step.do === 'remove') return remove(state, server)
  return server['OS-EXT-SRV-ATTR:host'] === host ? undefined : beginMigration(state, server, host)
}

/** Two clock steps between two polls may cancel out; each provider's turn then finds what was written in between. */
const stepsCancelOut = (steps: readonly Step[]): boolean =>
  steps
    .map((step) => (step.do === 'clock' ? 'c' : step.do === 'poll' && step.faults.length === 0 ? ' ' : ''))
    .join('')
    .includes('cc')

const poll = (...faults: readonly (Fault | null)[]): Step => ({ do: 'poll', faults })

/** Sequences with which the search once found a defect. */
const FOUND: readonly (readonly Step[])[] = [
  // An unknown migration ends while Placement does not answer: its allocations are suspect twice, for two reasons.
  [
    ...([
      poll(),
      { do: 'boot', pick: 0 },
      poll(),
      { do: 'begin', pick: 227 },
      { do: 'clock', hours: -1 },
      poll(),
    ] as const),
    ...([{ do: 'end', pick: 0 }, poll('reset', 409)] as const),
  ],
  // A release makes an allocation suspect, and then an old answer of the same generation arrives.
  [{ do: 'begin', pick: 6 }, poll(), poll(), { do: 'end', pick: 0 }, poll(), poll(null, 'repeated')],
  // A boot is seen, but its deletion only by Nova.
  [
    ...([
      { do: 'begin', pick: 470 },
      { do: 'remove', pick: 0 },
      poll(),
      { do: 'boot', pick: 0 },
      { do: 'boot', pick: 0 },
    ] as const),
    ...([{ do: 'begin', pick: 119 }, { do: 'end', pick: 139 }, { do: 'boot', pick: 0 }, poll()] as const),
    ...([{ do: 'remove', pick: 520 }, poll('truncated', 'reset')] as const),
  ],
  [
    ...([poll(), poll(), poll(), { do: 'clock', hours: -1 }, { do: 'boot', pick: 4 }] as const),
    ...([
      { do: 'remove', pick: 0 },
      { do: 'clock', hours: 1 },
    ] as const),
  ],
]

const FAULTS: readonly (Fault | null)[] = [
  ...([null, null, null, null, 'reset', 'truncated', 'repeated', 'missing', 'shuffled', 401, 409, 500, 503] as const),
]
const pick = fc.nat(1_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('boot', 'remove', 'begin', 'end'), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('poll'), faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock'), hours: fc.constantFrom(-1, 1) }) },
)

async function withMirror<T>(
  state: CloudState,
  work: (cloud: ReplayedCloud, mirror: CloudMirror) => Promise<T>,
  monotonicMs: () => number = () => performance.now(),
): Promise<T> {
  const cloud = await replayCloud(state)
  const options = { requestsPerSecond: 10_000, retries: 1, retryAfterMs: 1, monotonicMs }
  const client = await openCloud(cloud.settings, options)
  try {
    return await work(cloud, new CloudMirror(client))
  } finally {
    await Promise.all([client.close(), cloud.close()])
  }
}

describe('the mirror of a cloud', () => {
  it('matches the cloud at rest and never has a finding, whatever the responses were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const state = emptyCloud(3, AT)
        for (let count = 0; count < 5; count++) boot(state, `cmp${(count % 3) + 1}`)
        await withMirror(state, async (cloud, mirror) => {
          let before = mirror.snapshot()
          const expectNothing = () => {
            const after = mirror.snapshot()
            expect(auditCloud({ before, after })).toEqual([])
            before = after
          }
          for (const each of steps) {
            state.clockMs += TICK_MS
            if (each.do !== 'poll') change(state, each)
            else {
              cloud.fail(each.faults)
              await mirror.poll()
              cloud.fail([])
              expectNothing()
            }
          }
          // The clock may have stepped unnoticed since the last poll; the next one detects it.
          const rest = stepsCancelOut(steps) ? 2 + state.providers.length : 2
          for (let polls = 0; polls < rest; polls++) {
            state.clockMs += TICK_MS
            await mirror.poll()
            expectNothing()
          }
          expect(snapshotShown(mirror.snapshot())).toEqual(stateShown(state))
          const writes = cloud.log.filter((line) => !/^GET /.test(line))
          expect(new Set(writes)).toEqual(new Set(['POST /identity/v3/auth/tokens']))
        })
      }),
      { numRuns: Number(process.env.CLOUD_RUNS ?? 60), examples: FOUND.map((steps) => [[...steps]]) },
    )
  })

  it('reads allocations of providers with a raised generation, and of the others in turn', async () => {
    const state = emptyCloud(3, AT)
    for (const host of ['cmp1', 'cmp2', 'cmp3']) boot(state, host)
    await withMirror(state, async (cloud, mirror) => {
      await mirror.poll()
      const before = cloud.log.length
      state.clockMs += TICK_MS
      boot(state, 'cmp2')
      await mirror.poll()
      const path = (at: number) => `GET /placement/resource_providers/${state.providers[at]?.uuid}/allocations`
      const asked = () => cloud.log.slice(before).filter((line) => /resource_providers\/.*\/allocations/.test(line))
      expect(asked()).toEqual([path(1)])
      const { providers } = mirror.snapshot()
      const times = providers.isRead
        ? providers.value.map(({ allocations }) => allocations.isRead && allocations.at)
        : []
      expect(times).toEqual([AT + TICK_MS, AT + TICK_MS, AT + TICK_MS])
      // An allocation is only known to be held at the time of its read.
      const readAt = providers.isRead ? providers.value.map(({ allocationsReadAt }) => allocationsReadAt) : []
      expect(readAt).toEqual([AT, AT + TICK_MS, AT])
      // A release raises no generation, and nothing else reports it.
      const [first] = state.servers
      drop(state, 'cmp1', first?.id ?? '')
      for (let polls = 0; polls < 3; polls++) {
        state.clockMs += TICK_MS
        await mirror.poll()
      }
      expect([...new Set(asked())].sort()).toEqual([path(0), path(1), path(2)].sort())
      const now = mirror.snapshot().providers
      expect(now.isRead && now.value.map(({ allocations }) => allocations.isRead && allocations.value.size)).toEqual([
        ...[0, 2, 1],
      ])
    })
  })

  it('does not take storage that was shared a moment ago for a second host', async () => {
    const state = emptyCloud(2, AT)
    await withMirror(state, async (_, mirror) => {
      const [, storage] = state.providers
      if (storage) storage.offers = []
      await mirror.poll()
      for (const set of [{ offers: ['DISK_GB'] }, { traits: ['MISC_SHARES_VIA_AGGREGATE'] }] as const) {
        state.clockMs += TICK_MS
        Object.assign(storage ?? {}, set, { generation: (storage?.generation ?? 0) + 1 })
        await mirror.poll()
      }
      const { providers } = mirror.snapshot()
      const shares = providers.isRead && providers.value.map((each) => isSharing(each))
      expect(shares).toEqual([false, true])
    })
  })

  it('keeps old data with its age while the cloud does not answer', async () => {
    const state = emptyCloud(2, AT)
    boot(state, 'cmp1')
    await withMirror(state, async (cloud, mirror) => {
      await mirror.poll()
      state.clockMs += TICK_MS
      cloud.fail(Array(200).fill(500))
      await mirror.poll()
      const { servers, now } = mirror.snapshot()
      expect(servers).toMatchObject({ isRead: true, at: AT, value: [{ host: 'cmp1' }] })
      expect(now).toBe(AT)
    })
  })

  it('does not take an instance that a list left out for deleted', async () => {
    const state = emptyCloud(2, AT)
    const [row] = [boot(state, 'cmp1'), boot(state, 'cmp2')]
    await withMirror(state, async (cloud, mirror) => {
      cloud.fail([null, null, 'missing', ...Array(40).fill('missing')])
      await mirror.poll()
      const { servers } = mirror.snapshot()
      expect(servers.isRead && servers.value.map(({ id }) => id)).toContain(row?.id)
      expect(cloud.log).toContain(`GET /compute/v2.1/servers/${row?.id}`)
    })
  })

  it('finds an instance without allocations that the first list left out', async () => {
    const state = emptyCloud(2, AT)
    const row = boot(state, 'cmp1')
    boot(state, 'cmp2')
    drop(state, 'cmp1', row.id)
    const clock = { ms: 0 }
    const idsIn = (mirror: CloudMirror) => {
      const { servers } = mirror.snapshot()
      return servers.isRead && servers.value.map(({ id }) => id)
    }
    const idsAfterRead = async (cloud: ReplayedCloud, mirror: CloudMirror) => {
      await mirror.poll()
      clock.ms += 61_000
      state.clockMs += 61_000
      cloud.fail([])
      return idsIn(mirror)
    }
    await withMirror(
      state,
      async (cloud, mirror) => {
        state.clockMs += HOUR_MS
        cloud.fail(Array(100).fill('missing'))
        expect(await idsAfterRead(cloud, mirror)).not.toContain(row.id)
        expect(await idsAfterRead(cloud, mirror)).toContain(row.id)
      },
      () => clock.ms,
    )
  })

  it('notices a deletion long before all instances are listed again', async () => {
    const state = emptyCloud(2, AT)
    const [row] = [boot(state, 'cmp1'), boot(state, 'cmp2')]
    const clock = { ms: 0 }
    const pass = (ms: number) => {
      clock.ms += ms
      state.clockMs += ms
    }
    await withMirror(
      state,
      async (_, mirror) => {
        await mirror.poll()
        pass(TICK_MS)
        if (row) remove(state, row)
        pass(5 * 60_000)
        for (let polls = 0; polls < 2; polls++) await mirror.poll()
        const { servers } = mirror.snapshot()
        expect(servers.isRead && servers.value.map(({ id }) => id)).not.toContain(row?.id)
      },
      () => clock.ms,
    )
  })

  it('says what it does not know when the account may not see hosts', async () => {
    const state = emptyCloud(1, AT)
    const row = boot(state, 'cmp1')
    delete row['OS-EXT-SRV-ATTR:host']
    await withMirror(state, async (_, mirror) => {
      await mirror.poll()
      const { servers } = mirror.snapshot()
      expect(servers).toMatchObject({ isRead: false, why: expect.stringContaining('OS-EXT-SRV-ATTR:host') })
    })
  })
})

import fc, { type Scheduler } from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type Change, rootGuard } from '../engine/change'
import type { Host } from '../engine/host'
import { smallHost } from '../engine/testing/hosts'
import { demandFor, pinned, planOn } from '../engine/testing/instances'
import type { HostId, InstanceId } from '../engine/words/ids'
import { commitBatch } from '../store/commit/commit'
import { makeCommitQueue } from '../store/commit/queue'
import { connectDatabase } from '../store/database/database'
import { readInstanceView } from '../store/migration/view'
import { buildOf, changeOf, migrationOf, present, putHost, takeFor } from '../store/testing/records'
import { openFleet } from './testing/open-fleet'

// What is decided on a host is committed only to that host as it was then, whoever else writes meanwhile. Two servers
// decide on what each expects of its own pending changes, and those may fail while another write raises the same
// generation.

const RUNS = Number(process.env.BERTH_RELIED_ON_RUNS ?? 25)

const database = onFreshDatabase(connectDatabase)

const ACTS = ['build', 'build', 'build', 'move', 'release', 'state', 'hear'] as const
const acts = fc.array(
  fc.record({
    server: fc.nat(1),
    host: fc.nat(1),
    act: fc.constantFrom(...ACTS),
    n: fc.nat(9),
    /** The decision is made on the host as it was this many actions ago. */
    delay: fc.nat(2),
    /** Batches that end before the next action. */
    batches: fc.nat(2),
  }),
  { minLength: 4, maxLength: 24 },
)
type Act = typeof acts extends fc.Arbitrary<readonly (infer T)[]> ? T : never

/** Consumers with a claim on the host, which show what a decision was based on. */
const holdersOf = ({ holdings }: Host): string[] => holdings.map(({ consumer }) => consumer as string).sort()

function afterWrites(holders: readonly string[], host: HostId, { writes }: Change): string[] {
  let now = [...holders]
  for (const write of writes) {
    if (write.do === 'take' && write.plan.host === host) now.push(write.consumer)
    if (write.do === 'release') now = now.filter((consumer) => consumer !== write.consumer)
  }
  return now.sort()
}

async function twoServers(scheduler: Scheduler) {
  const ids = [
    (await putHost(database, smallHost({ n: 1, cores: 64 }))).id,
    (await putHost(database, smallHost({ n: 2, cores: 64 }))).id,
  ]
  const decidedOn = new Map<Change, readonly Host[]>()
  const wrong: unknown[] = []
  let turn: Promise<unknown> = Promise.resolve()

  /** Commits as production does, and compares what is committed with what it was decided on. */
  const compared = async (batch: readonly Change[]) => {
    const before = new Map<string, string[]>()
    for (const id of ids) before.set(id, holdersOf(await present(database, id)))
    const answers = await commitBatch(database, batch)
    for (const [at, change] of batch.entries()) {
      if (!answers[at]?.ok) continue
      for (const host of decidedOn.get(change) ?? []) {
        const found = before.get(host.id) ?? []
        if (String(found) !== String(holdersOf(host)))
          wrong.push({ what: change.event.kind, decidedOn: holdersOf(host), found })
      }
      for (const id of ids) before.set(id, afterWrites(before.get(id) ?? [], id, change))
    }
    return answers
  }
  const server = async () => {
    const { fleet, stop } = await openFleet(database)
    const queue = makeCommitQueue({
      commitBatch: async (batch) => {
        await scheduler.schedule(Promise.resolve())
        const mine = turn.then(() => compared(batch))
        turn = mine.catch(() => {})
        return mine
      },
    })
    return { fleet, stop, commit: (change: Change) => fleet.commit(change, queue.commit) }
  }
  return {
    ids,
    decidedOn,
    wrong,
    servers: [await server(), await server()] as const,
  }
}

type ServerPair = Awaited<ReturnType<typeof twoServers>>

/** The change of an action, decided on the host; null when there is nothing to act on. */
async function decided(act: Act, host: Host): Promise<{ readonly change: Change; readonly relies: boolean } | null> {
  if (act.act === 'build') return { change: buildOf(host, { flavor: pinned(1) }), relies: true }
  if (act.act === 'state') {
    const set = { reason: `act ${act.n}` }
    return { change: changeOf([{ do: 'set-host', id: host.id, set }], { providers: rootGuard(host) }), relies: true }
  }
  const built = host.holdings.filter(({ consumerKind }) => consumerKind === 'instance')
  const holding = built[act.n % Math.max(1, built.length)]
  const view = holding && (await readInstanceView(database, holding.consumer as InstanceId))
  if (!view) return null
  const { id, generation } = view.instance
  const instance = { id, generation: generation - (act.n === 9 ? 1 : 0) }
  if (act.act === 'release') {
    const relies = act.n % 2 === 0
    const providers = rootGuard(host).map((guard) => (relies ? guard : { ...guard, generation: null }))
    return { change: changeOf([{ do: 'release', consumer: id }], { providers, instance }), relies }
  }
  const { migration, change } = migrationOf(view.instance, host)
  const plan = planOn(host, demandFor(pinned(1)))
  const guards = { ...change.guards, providers: plan.guards, instance }
  return { change: { ...change, guards, writes: [...change.writes, takeFor(migration.id, id, plan)] }, relies: true }
}

async function play({ ids, decidedOn, servers }: ServerPair, all: readonly Act[], scheduler: Scheduler): Promise<void> {
  const past = new Map<string, Host[]>()
  const sent: Promise<unknown>[] = []
  for (const act of all) {
    const { fleet, commit } = servers[act.server]!
    const id = ids[act.host]!
    const now = fleet.ahead(id)!
    const seen = past.get(`${act.server} ${id}`) ?? []
    past.set(`${act.server} ${id}`, [now, ...seen].slice(0, 3))
    if (act.act === 'hear') {
      await fleet.refresh([id])
    } else {
      const host = [now, ...seen][act.delay] ?? now
      const made = await decided(act, host)
      if (made) {
        if (made.relies) decidedOn.set(made.change, [host])
        sent.push(commit(made.change))
      }
    }
    for (let n = 0; n < act.batches && scheduler.count() > 0; n++) await scheduler.waitOne()
  }
  await scheduler.waitFor(Promise.all(sent))
}

const BUILD: Act = { server: 0, host: 0, act: 'build', n: 0, delay: 0, batches: 0 }
/** The third build is decided on the second, which comes after that of the other server. */
const OVERTAKEN: [Scheduler, Act[]] = [fc.schedulerFor([1, 2]), [{ ...BUILD, server: 1 }, BUILD, BUILD]]

test('a change is committed only to the host that it was decided on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), acts, async (scheduler, all) => {
      await database.pool.query('truncate resource_provider, host, instance, migration, consumer cascade')
      const fixture = await twoServers(scheduler)
      try {
        await play(fixture, all, scheduler)
        expect(fixture.wrong).toEqual([])
      } finally {
        for (const { stop } of fixture.servers) await stop()
      }
    }),
    { numRuns: RUNS, examples: [OVERTAKEN] },
  )
}, 120_000)

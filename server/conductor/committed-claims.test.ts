import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { Host } from '../engine/host'
import { smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { HostId, MigrationId } from '../engine/words/ids'
import type { Projection } from '../fleet/projection'
import { openFleet } from '../fleet/testing/open-fleet'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { readMigrationRows, readMigrationView, readViewOf } from '../store/migration/view'
import { acceptMigration, build, buildOf, claimChange, putHost } from '../store/testing/records'
import { driverOperationOf } from './driver-operation'
import { knownFleet } from './fleet'

// While changes of this server are pending on a host, another server commits there. A pending change then has the
// generation that the other one got in the tables; hosts must be asked with the claims of the tables all the same.

const RUNS = Number(process.env.BERTH_COMMITTED_RUNS ?? 12)

const database = onFreshDatabase(connectDatabase)
const SMALL = pinned(1)

/** A commit of this server that a test holds back: before it is written, or with its answer still on the way. */
interface HeldCommit {
  write(): void
  answer(): void
  readonly done: Promise<unknown>
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

function held(fleet: Projection, host: HostId, before: HeldCommit | undefined): HeldCommit {
  const [write, answer] = [gate(), gate()]
  const done = fleet.commit(buildOf(fleet.ahead(host) as Host, { flavor: SMALL }), async (change) => {
    await write.opened
    await before?.done // one queue writes them in order
    const result = await commit(database, change)
    await answer.opened
    return result
  })
  return { write: write.open, answer: answer.open, done }
}

type Command = 'begin' | 'write' | 'answer' | 'build elsewhere' | 'claim elsewhere' | 'look'

/** Mostly changes that overlap on the target. */
const COMMAND = fc.tuple(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('begin' as const, 'claim elsewhere' as const) },
    { weight: 1, arbitrary: fc.constantFrom('write' as const, 'answer' as const, 'build elsewhere' as const) },
    { weight: 2, arbitrary: fc.constant('look' as const) },
  ),
  fc.constantFrom('target' as const, 'target' as const, 'source' as const),
)

class Race {
  readonly #fleet: Projection
  readonly #migration: MigrationId
  readonly #sides: { readonly source: HostId; readonly target: HostId }
  readonly #held: HeldCommit[] = []
  #claimed = false

  constructor(fleet: Projection, migration: MigrationId, sides: { readonly source: HostId; readonly target: HostId }) {
    this.#fleet = fleet
    this.#migration = migration
    this.#sides = sides
  }

  async run(command: Command, side: 'source' | 'target'): Promise<void> {
    const host = this.#sides[side]
    switch (command) {
      case 'begin':
        this.#held.push(held(this.#fleet, host, this.#held.at(-1)))
        return
      case 'write':
        for (const each of this.#held) each.write()
        return
      case 'answer':
        return this.answerAll()
      case 'build elsewhere':
        await build(database, host, { flavor: SMALL }).catch(ignoreRace)
        return
      case 'claim elsewhere':
        if (this.#claimed) return
        this.#claimed = (await commit(database, await claimChange(database, this.#claim))).ok
        return
      case 'look':
        return this.#look()
    }
  }

  get #claim() {
    return { id: this.#migration, target: this.#sides.target }
  }

  async answerAll(): Promise<void> {
    for (const each of this.#held) {
      each.write()
      each.answer()
    }
    await Promise.allSettled(this.#held.map(({ done }) => done))
  }

  async #look(): Promise<void> {
    const id = this.#migration
    const rows = async () => (await readMigrationRows(database, [id])).get(id) ?? null
    const looking = readViewOf(database, rows, knownFleet(this.#fleet))
    const answering = setTimeout(() => void this.answerAll(), 20) // a view may wait for the answers
    const view = await looking
    clearTimeout(answering)
    const inTables = await readMigrationView(database, id)
    if (view === null || inTables === null) throw new Error('the migration is not there')
    const reach = { source: true, target: true }
    expect(driverOperationOf(view, reach).claim).toEqual(driverOperationOf(inTables, reach).claim)
  }
}

/** A build that another write came before; nothing was written. */
const ignoreRace = (error: Error) => expect(error.message).toContain('provider')

async function race(commands: readonly (readonly [Command, 'source' | 'target'])[]): Promise<void> {
  await database.pool.query('truncate resource_provider, host, instance, migration, consumer cascade')
  const made = [1, 2].map((n) => smallHost({ n, cells: 2, cores: 32, memoryMib: 131_072, diskGib: 9000 }))
  const [source, target] = (await Promise.all(made.map((host) => putHost(database, host)))).map(({ id }) => id)
  const instance = await build(database, source as HostId, { flavor: pinned(2) })
  await database.pool.query(`update instance set vm_state = 'active'`)
  const { id } = await acceptMigration(database, instance)
  const { fleet, stop } = await openFleet(database)
  const racing = new Race(fleet, id, { source: source as HostId, target: target as HostId })
  try {
    for (const [command, side] of commands) await racing.run(command, side)
    await racing.run('look', 'target')
  } finally {
    await racing.answerAll()
    await stop()
  }
}

test('a pending change that has the generation of a claim in the tables does not hide the claim', async () => {
  await race([
    ['begin', 'target'],
    ['claim elsewhere', 'target'],
  ])
})

test('hosts are asked with the claims of the tables, whatever is pending', async () => {
  const commands = fc.array(COMMAND, { minLength: 3, maxLength: 9, size: 'max' })
  await fc.assert(fc.asyncProperty(commands, race), { numRuns: RUNS })
})

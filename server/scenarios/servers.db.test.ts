import { describe, expect, test } from 'vitest'
import { DEFAULT_OPTIONS } from '../conductor/options'
import { hostId, smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { takeLease } from '../store/migration/lease'
import { onEachScenario } from './on-each-scenario'
import type { Scenario } from './scenario'

// Several servers on one database, and more migrations than there are slots.

const [H1, H2] = [hostId(1), hostId(2)]
const HOSTS = [1, 2, 3].map((n) => smallHost({ n, shared: 2, cores: 6 }))

/** That many instances on the first host, each with a live migration. */
async function migrationsFromOne(scenario: Scenario, count: number) {
  const instances: InstanceId[] = []
  for (let n = 0; n < count; n++) instances.push(await scenario.running({ flavor: flavor(1), host: H1 }))
  const migrations: MigrationId[] = []
  for (const instance of instances)
    migrations.push((await scenario.operators.migrate(instance, { operation: 'live-migrate' }))!)
  return { instances, migrations }
}

async function oneMigration(scenario: Scenario) {
  const { instances, migrations } = await migrationsFromOne(scenario, 1)
  return { web: instances[0]!, migration: migrations[0]! }
}

describe('limits', () => {
  const scenario = onEachScenario({ hosts: HOSTS, limits: { perSource: 2, perTarget: 2, fleet: 2 } })

  test('make further migrations wait in a queue with their place, and all of them end', async () => {
    const { migrations } = await migrationsFromOne(scenario, 6)
    await scenario.pass(0)
    const now = await Promise.all(migrations.map((migration) => scenario.migration(migration)))
    expect(now.filter(({ step }) => step === 'transfer')).toHaveLength(2)
    const places = now.flatMap(({ waiting }) => (waiting?.for === 'slot' ? [waiting.place] : []))
    expect(places).toHaveLength(4)
    for (const migration of migrations) expect((await scenario.untilEnded(migration)).outcome).toBe('completed')
    expect(await scenario.fleet.survey(H1)).toEqual([])
  })
})

describe('two servers', () => {
  const scenario = onEachScenario({ hosts: HOSTS })

  test('share the migrations, and each runs on one of them', async () => {
    scenario.newConductor('server-2')
    const { migrations } = await migrationsFromOne(scenario, 6)
    for (const migration of migrations) expect((await scenario.untilEnded(migration)).outcome).toBe('completed')
  })

  test('hand over their migrations at once when one stops', async () => {
    const { migration } = await oneMigration(scenario)
    await scenario.untilStep(migration, 'transfer')
    const before = scenario.now()
    await scenario.conductor.stop()
    scenario.newConductor('server-2')
    await scenario.untilEnded(migration)
    expect(scenario.now() - before).toBeLessThan(25_000)
  })

  test('replace a dead one when its lease ends, and refuse its late writes', async () => {
    const { web, migration } = await oneMigration(scenario)
    const lost = await takeLease(scenario.database, { migration, owner: 'dead', ttlMs: 30_000, now: scenario.now() })
    await scenario.pass(10_000)
    expect((await scenario.migration(migration)).step).toBe('claim')
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    const late = await commit(scenario.database, {
      guards: {
        providers: [],
        instance: null,
        migration: { id: migration, generation: 1, fence: lost!.fence },
        group: null,
      },
      writes: [],
      event: { kind: 'migration.late', hosts: [], instance: web, migration, data: {} },
      actor: { who: 'dead', request: null, reason: null },
      at: scenario.now(),
    })
    expect(late.ok).toBe(false)
  })

  test('continue a migration within 15 s after its server was killed', async () => {
    const { migration } = await oneMigration(scenario)
    await scenario.untilStep(migration, 'transfer')
    await scenario.conductor.stop()
    const killedAt = scenario.now()
    const ask = { migration, owner: 'killed', ttlMs: DEFAULT_OPTIONS.leaseMs, now: killedAt }
    const lost = (await takeLease(scenario.database, ask))!
    scenario.newConductor('server-2')
    await scenario.until(async () => (await scenario.migration(migration)).fence > lost.fence)
    expect(scenario.now() - killedAt).toBeLessThanOrEqual(15_000)
    expect(await scenario.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
  })
})

describe('a single failing driver operation', () => {
  const scenario = onEachScenario({ hosts: HOSTS })
  const VERBS = ['prepare', 'transfer', 'runAt', 'clean', 'locate'] as const
  const WAYS = ['fail', 'lose-answer', 'half'] as const
  const cases = VERBS.flatMap((on) => WAYS.map((goes) => [on, goes] as const))

  test.each(cases)('(%s: %s) leaves nothing behind, whatever the outcome', async (on, goes) => {
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    for (const host of [H1, H2]) await scenario.fleet.setFault(host, { do: 'plan', fault: { on, nth: 1, goes } })
    const migration = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
    const ended = await scenario.untilEnded(migration)
    const home = ended.home === 'target' ? H2 : H1
    expect(await scenario.instance(web)).toMatchObject({ host: home, vmState: 'active' })
    expect(await scenario.fleet.survey(home)).toMatchObject([{ instance: web, observedState: 'running' }])
    expect(await scenario.fleet.survey(home === H1 ? H2 : H1)).toEqual([])
    expect(await scenario.heldFor(web)).toHaveLength(1)
  })
})

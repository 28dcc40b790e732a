import { describe, expect, test } from 'vitest'
import { DEFAULT_OPTIONS } from '../conductor/options'
import { hostId, smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { takeLease } from '../store/migration/lease'
import { onEachStory } from './on-each-story'
import type { Story } from './story'

// Several servers on one database, and more migrations than there are slots.

const [H1, H2] = [hostId(1), hostId(2)]
const HOSTS = [1, 2, 3].map((n) => smallHost({ n, shared: 2, cores: 6 }))

/** That many instances on the first host, each with a live migration. */
async function migrationsFromOne(story: Story, count: number) {
  const instances: InstanceId[] = []
  for (let n = 0; n < count; n++) instances.push(await story.running({ flavor: flavor(1), host: H1 }))
  const migrations: MigrationId[] = []
  for (const instance of instances) migrations.push((await story.people.move(instance, { operation: 'live-migrate' }))!)
  return { instances, migrations }
}

async function oneMigration(story: Story) {
  const { instances, migrations } = await migrationsFromOne(story, 1)
  return { web: instances[0]!, migration: migrations[0]! }
}

describe('limits', () => {
  const story = onEachStory({ hosts: HOSTS, limits: { perSource: 2, perTarget: 2, fleet: 2 } })

  test('make further migrations wait in a queue with their place, and all of them end', async () => {
    const { migrations } = await migrationsFromOne(story, 6)
    await story.pass(0)
    const now = await Promise.all(migrations.map((migration) => story.migration(migration)))
    expect(now.filter(({ step }) => step === 'transfer')).toHaveLength(2)
    const places = now.flatMap(({ waiting }) => (waiting?.for === 'slot' ? [waiting.place] : []))
    expect(places).toHaveLength(4)
    for (const migration of migrations) expect((await story.untilEnded(migration)).outcome).toBe('completed')
    expect(await story.fleet.survey(H1)).toEqual([])
  })
})

describe('two servers', () => {
  const story = onEachStory({ hosts: HOSTS })

  test('share the migrations, and each runs on one of them', async () => {
    story.newConductor('server-2')
    const { migrations } = await migrationsFromOne(story, 6)
    for (const migration of migrations) expect((await story.untilEnded(migration)).outcome).toBe('completed')
  })

  test('hand over their migrations at once when one stops', async () => {
    const { migration } = await oneMigration(story)
    await story.untilStep(migration, 'transfer')
    const before = story.now()
    await story.conductor.stop()
    story.newConductor('server-2')
    await story.untilEnded(migration)
    expect(story.now() - before).toBeLessThan(25_000)
  })

  test('replace a dead one when its lease ends, and refuse its late writes', async () => {
    const { web, migration } = await oneMigration(story)
    const lost = await takeLease(story.database, { migration, owner: 'dead', ttlMs: 30_000, now: story.now() })
    await story.pass(10_000)
    expect((await story.migration(migration)).step).toBe('claim')
    expect(await story.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
    const late = await commit(story.database, {
      guards: {
        providers: [],
        instance: null,
        migration: { id: migration, generation: 1, fence: lost!.fence },
        group: null,
      },
      writes: [],
      event: { kind: 'migration.late', hosts: [], instance: web, migration, data: {} },
      actor: { who: 'dead', request: null, reason: null },
      at: story.now(),
    })
    expect(late.ok).toBe(false)
  })

  test('continue a migration within 15 s after its server was killed', async () => {
    const { migration } = await oneMigration(story)
    await story.untilStep(migration, 'transfer')
    await story.conductor.stop()
    const killedAt = story.now()
    const ask = { migration, owner: 'killed', ttlMs: DEFAULT_OPTIONS.leaseMs, now: killedAt }
    const lost = (await takeLease(story.database, ask))!
    story.newConductor('server-2')
    await story.until(async () => (await story.migration(migration)).fence > lost.fence)
    expect(story.now() - killedAt).toBeLessThanOrEqual(15_000)
    expect(await story.untilEnded(migration)).toMatchObject({ outcome: 'completed' })
  })
})

describe('a single failing driver operation', () => {
  const story = onEachStory({ hosts: HOSTS })
  const VERBS = ['prepare', 'transfer', 'runAt', 'clean', 'locate'] as const
  const WAYS = ['fail', 'lose-answer', 'half'] as const
  const cases = VERBS.flatMap((on) => WAYS.map((goes) => [on, goes] as const))

  test.each(cases)('(%s: %s) leaves nothing behind, whatever the outcome', async (on, goes) => {
    const web = await story.running({ flavor: pinned(2), host: H1 })
    for (const host of [H1, H2]) await story.fleet.setFault(host, { do: 'plan', fault: { on, nth: 1, goes } })
    const migration = (await story.people.move(web, { operation: 'live-migrate', target: H2 }))!
    const ended = await story.untilEnded(migration)
    const home = ended.home === 'target' ? H2 : H1
    expect(await story.instance(web)).toMatchObject({ host: home, vmState: 'active' })
    expect(await story.fleet.survey(home)).toMatchObject([{ instance: web, observedState: 'running' }])
    expect(await story.fleet.survey(home === H1 ? H2 : H1)).toEqual([])
    expect(await story.heldFor(web)).toHaveLength(1)
  })
})

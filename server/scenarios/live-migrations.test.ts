import { describe, expect, test } from 'vitest'
import type { HostId } from '../engine/words/ids'
import { Story } from '../simulation/story'
import { carryTo, flavor, H1, H2, H3, holders, oneInstance, oneMigration, unitsOn } from './migration-fixtures'

// Bugs of Nova's live migration, replayed on our records and simulated machines. The laws and the whole audit are
// checked after every effect of every story. Numbers are Launchpad's.

describe('live migrations', () => {
  test('1289064: a pinned instance gets its own CPUs on the target', () => {
    const story = new Story()
    const other = story.build(flavor('pinned2'), H2)
    const instance = story.build(flavor('pinned2'), H1)
    const id = story.move(instance, 'live-migrate', { target: H2 })
    expect(story.carry(id).outcome).toBe('completed')
    const taken = new Set(unitsOn(story, H2, other))
    expect(unitsOn(story, H2, instance).some((unit) => taken.has(unit))).toBe(false)
    story.checkRest()
  })

  test('a host that did not answer the last survey is chosen only when no other fits', () => {
    const chosen = (silent: readonly HostId[]) => {
      const story = new Story({ ticks: { silentHosts: new Set(silent) } })
      const id = story.move(story.build(flavor('pinned2'), H1), 'live-migrate')
      return carryTo(story, id, 'prepare').target
    }
    const first = chosen([])
    const second = first === H2 ? H3 : H2
    expect(chosen([first!])).toBe(second)
    expect([H2, H3]).toContain(chosen([H2, H3]))
  })

  test('1845146: both sides are held from the start and cannot be claimed', () => {
    const { story, instance, id } = oneMigration('pinned4', 'live-migrate')
    carryTo(story, id, 'prepare')
    expect(holders(story, instance)).toEqual(['instance@h2', 'migration@h1'])
    story.build(flavor('pinned4'), H2)
    expect(() => story.build(flavor('pinned2'), H2)).toThrow('dedicated-cpus')
    story.carry(id)
    story.checkRest()
  })

  test.each([
    ['1894095: a failed migration releases the target in its final commit', 'fail'],
    ['1712411: a target that fails in prepare keeps nothing', 'half-and-fail'],
  ] as const)('%s', (_, fault) => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    const ended = story.carry(id, { faults: ({ name }) => (name === 'prepare' ? fault : null) })
    expect(ended.outcome).toBe('failed')
    expect(holders(story, instance)).toEqual(['instance@h1'])
    story.checkRest()
  })

  test('1949808: aborting a queued migration leaves no claim', () => {
    const story = new Story({ ticks: { limits: { perSource: 1, perTarget: 1, fleet: 1 } } })
    const first = story.build(flavor('pinned2'), H1)
    const second = story.build(flavor('pinned2'), H1)
    const running = story.move(first, 'live-migrate', { target: H2 })
    carryTo(story, running, 'transfer')
    const queued = story.move(second, 'live-migrate', { target: H2 })
    story.carry(queued, { until: ({ waiting }) => waiting?.for === 'slot' })
    expect(story.migration(queued).waiting).toEqual({ for: 'slot', place: 1 })
    story.requestAction(queued, 'abort')
    expect(story.carry(queued).outcome).toBe('aborted')
    expect(holders(story, second)).toEqual(['instance@h1'])
    story.carry(running)
    story.checkRest()
  })

  test('1960412: aborting during the copy restores everything at the source', () => {
    const { story, instance } = oneInstance('vf')
    const before = unitsOn(story, H1, instance)
    const id = story.move(instance, 'live-migrate', { target: H2 })
    carryTo(story, id, 'transfer')
    story.requestAction(id, 'abort')
    expect(story.carry(id).outcome).toBe('aborted')
    expect(unitsOn(story, H1, instance)).toEqual(before)
    expect(story.runsAt(instance)).toEqual([H1])
    story.checkRest()
  })

  test('an abort after the hand-over is too late, and the migration continues', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    story.carry(id, { hold: true, until: () => story.world.room.jobs.has(id) })
    const job = story.world.room.jobs.get(id)!
    while (story.world.room.jobs.has(id)) story.world.room.progress(job)
    expect(story.runsAt(instance)).toEqual([H2])
    story.requestAction(id, 'abort')
    expect(story.carry(id).outcome).toBe('completed')
    expect(story.runsAt(instance)).toEqual([H2])
    story.checkRest()
  })

  test('1753676: the next conductor finds a copy running after the first one died', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(story, id, 'transfer')
    story.carry(id, { owner: 'north', until: () => story.world.room.jobs.has(id), hold: true })
    story.world.now += story.options.leaseMs + 1
    const ended = story.carry(id, { owner: 'south' })
    expect(ended.outcome).toBe('completed')
    expect(story.runsAt(instance)).toEqual([H2])
    story.checkRest()
  })

  test('1628606: an interrupted end leaves the instance recorded at the target, where it runs', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    let broken = false
    const ended = story.carry(id, {
      faults: ({ name }) => {
        if (name !== 'runAt' || broken) return null
        broken = true
        return 'half-and-fail'
      },
    })
    expect(ended.outcome).toBe('completed')
    expect(story.instance(instance).host).toBe(H2)
    expect(story.runsAt(instance)).toEqual([H2])
    story.checkRest()
  })

  test('2044235: a silent source keeps the instance unchanged, and the migration names the host it waits for', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(story, id, 'prepare')
    story.event('fall-silent', H1)
    const waiting = story.carry(id, { until: (migration) => migration.waiting !== null })
    expect(waiting.waiting).toMatchObject({ for: 'host' })
    expect(story.instance(instance).vmState).toBe('active')
    expect(story.runsAt(instance)).toEqual([H1])
    story.event('answer-again', H1)
    expect(story.carry(id).outcome).toBe('completed')
    story.checkRest()
  })

  test('1662626: a migration ends once its dead source is marked', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(story, id, 'transfer')
    story.event('fence', H1)
    expect(story.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    expect(holders(story, instance)).toEqual(['instance@h1'])
    const rescue = story.move(instance, 'evacuate', { target: H3 })
    expect(story.carry(rescue).outcome).toBe('completed')
    expect(story.runsAt(instance)).toEqual([H3])
  })
})

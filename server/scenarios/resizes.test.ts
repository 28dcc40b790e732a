import { describe, expect, test } from 'vitest'
import { carryTo, flavor, H1, H2, holders, oneInstance, oneMigration, unitsOn } from './migration-fixtures'

// Bugs of Nova's resize and cold migration. The audit runs after every effect, which most of these need: Nova's own
// audit ran between two writes that belong together.

describe('resizes and cold migrations', () => {
  test('1879878, 1953359: the records stay consistent throughout a resize and its revert', () => {
    const { story, instance } = oneInstance('pinned2')
    const before = unitsOn(story, H1, instance)
    const id = story.move(instance, 'resize', { newFlavor: flavor('pinned4'), target: H2 })
    expect(story.carry(id).step).toBe('verify')
    expect(story.instance(instance)).toMatchObject({ host: H2, flavor: flavor('pinned4') })
    story.requestAction(id, 'revert')
    expect(story.carry(id).outcome).toBe('reverted')
    expect(story.instance(instance)).toMatchObject({ host: H1, flavor: flavor('pinned2') })
    expect(unitsOn(story, H1, instance)).toEqual(before)
    story.checkRest()
  })

  test('1944759: the old CPUs stay held until the confirm', () => {
    const { story, instance, id } = oneMigration('pinned4', 'resize', { newFlavor: flavor('pinned2') })
    story.carry(id)
    expect(holders(story, instance)).toEqual(['instance@h2', 'migration@h1'])
    story.build(flavor('pinned4'), H1)
    expect(() => story.build(flavor('pinned2'), H1)).toThrow('dedicated-cpus')
    story.requestAction(id, 'confirm')
    story.carry(id)
    story.build(flavor('pinned2'), H1)
    story.checkRest()
  })

  test('1818914: the confirm frees the source at once', () => {
    const { story, instance, id } = oneMigration('pinned4', 'cold-migrate')
    story.carry(id)
    story.requestAction(id, 'confirm')
    expect(story.carry(id).outcome).toBe('completed')
    expect(story.host(1).holdings).toEqual([])
    expect(holders(story, instance)).toEqual(['instance@h2'])
    story.checkRest()
  })

  test('1825537: an instance that cannot start on the target returns with all its units', () => {
    const { story, instance } = oneInstance('card')
    const before = unitsOn(story, H1, instance)
    const id = story.move(instance, 'cold-migrate', { target: H2 })
    let asked = 0
    const ended = story.carry(id, {
      faults: ({ name }) => (name === 'runAt' && ++asked === 1 ? 'fail' : null),
    })
    expect(ended.outcome).toBe('failed')
    expect(unitsOn(story, H1, instance)).toEqual(before)
    expect(story.runsAt(instance)).toEqual([H1])
    story.checkRest()
  })

  test('1821594, 1855927: a confirm waits for a source that is down, and releases it later', () => {
    const { story, instance, id } = oneMigration('pinned2', 'cold-migrate')
    story.carry(id)
    story.event('fall-silent', H1)
    story.event('mark-down', H1)
    story.requestAction(id, 'confirm')
    const waiting = story.carry(id, { until: (migration) => migration.waiting?.for === 'host' })
    expect(waiting).toMatchObject({ step: 'release', waiting: { for: 'host', host: H1 } })
    expect(holders(story, instance)).toEqual(['instance@h2', 'migration@h1'])
    story.event('answer-again', H1)
    story.event('mark-up', H1)
    expect(story.carry(id).outcome).toBe('completed')
    story.checkRest()
  })

  test('1790204: a same-host resize without capacity for both sides is refused and changes nothing', () => {
    const { story, instance } = oneInstance('pinned4')
    story.build(flavor('pinned4'), H1)
    const id = story.move(instance, 'resize', { newFlavor: flavor('pinned2'), target: H1 })
    const ended = story.carry(id)
    expect(ended.outcome).toBe('failed')
    const refusal = ended.cause?.refusals?.[0]?.refusals.find((each) => 'heldBy' in each)
    expect(refusal && 'heldBy' in refusal ? refusal.heldBy : []).toContain(instance)
    story.checkRest()
  })

  test('1778563: a restarted conductor reverts a same-host resize to the old units', () => {
    const { story, instance } = oneInstance('vf')
    const before = unitsOn(story, H1, instance)
    const id = story.move(instance, 'resize', { newFlavor: { ...flavor('vf'), name: 'vf1', vcpus: 1 }, target: H1 })
    expect(story.carry(id, { owner: 'north' }).step).toBe('verify')
    expect(unitsOn(story, H1, id)).toEqual(before)
    story.world.now += story.options.leaseMs + 1
    story.requestAction(id, 'revert')
    expect(story.carry(id, { owner: 'south' }).outcome).toBe('reverted')
    expect(unitsOn(story, H1, instance)).toEqual(before)
    story.checkRest()
  })

  test('a same-host resize on a permanently lost host ends', () => {
    const { story, instance, id } = oneMigration('pinned2', 'resize', { newFlavor: flavor('pinned4'), target: H1 })
    carryTo(story, id, 'transfer')
    story.event('destroy', H1)
    expect(story.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    expect(holders(story, instance)).toEqual(['instance@h1'])
  })

  test('1741125: a retry that races another claim replans and claims once', () => {
    const { story, instance } = oneInstance('pinned4')
    const id = story.move(instance, 'cold-migrate')
    let raced = false
    story.carry(id, {
      until: ({ step }) => step === 'prepare',
      faults: ({ name }) => {
        if (name !== 'commit' || raced) return null
        raced = true
        return 'fail'
      },
    })
    expect(holders(story, instance)).toHaveLength(2)
    story.carry(id)
    story.requestAction(id, 'confirm')
    story.carry(id)
    story.checkRest()
  })

  test('1856925: an instance on a host that is down is not cold-migrated', () => {
    const { story, instance } = oneInstance('pinned2')
    story.event('fall-silent', H1)
    story.event('mark-down', H1)
    const asked = story.ask(instance, 'cold-migrate')
    expect(asked.ok ? [] : asked.refusals.map(({ kind }) => kind)).toEqual(['host-not-up'])
  })
})

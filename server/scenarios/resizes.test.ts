import { describe, expect, test } from 'vitest'
import { carryTo, flavor, H1, H2, holders, oneInstance, oneMigration, unitsOn } from './migration-fixtures'

// Bugs of Nova's resize and cold migration. The audit runs after every effect, which most of these need: Nova's own
// audit ran between two writes that belong together.

describe('resizes and cold migrations', () => {
  test('1879878, 1953359: the records stay consistent throughout a resize and its revert', () => {
    const { scenario, instance } = oneInstance('pinned2')
    const before = unitsOn(scenario, H1, instance)
    const id = scenario.move(instance, 'resize', { newFlavor: flavor('pinned4'), target: H2 })
    expect(scenario.carry(id).step).toBe('verify')
    expect(scenario.instance(instance)).toMatchObject({ host: H2, flavor: flavor('pinned4') })
    scenario.requestAction(id, 'revert')
    expect(scenario.carry(id).outcome).toBe('reverted')
    expect(scenario.instance(instance)).toMatchObject({ host: H1, flavor: flavor('pinned2') })
    expect(unitsOn(scenario, H1, instance)).toEqual(before)
    scenario.checkRest()
  })

  test('1944759: the old CPUs stay held until the confirm', () => {
    const { scenario, instance, id } = oneMigration('pinned4', 'resize', { newFlavor: flavor('pinned2') })
    scenario.carry(id)
    expect(holders(scenario, instance)).toEqual(['instance@h2', 'migration@h1'])
    scenario.build(flavor('pinned4'), H1)
    expect(() => scenario.build(flavor('pinned2'), H1)).toThrow('dedicated-cpus')
    scenario.requestAction(id, 'confirm')
    scenario.carry(id)
    scenario.build(flavor('pinned2'), H1)
    scenario.checkRest()
  })

  test('1818914: the confirm frees the source at once', () => {
    const { scenario, instance, id } = oneMigration('pinned4', 'cold-migrate')
    scenario.carry(id)
    scenario.requestAction(id, 'confirm')
    expect(scenario.carry(id).outcome).toBe('completed')
    expect(scenario.host(1).holdings).toEqual([])
    expect(holders(scenario, instance)).toEqual(['instance@h2'])
    scenario.checkRest()
  })

  test('1825537: an instance that cannot start on the target returns with all its units', () => {
    const { scenario, instance } = oneInstance('card')
    const before = unitsOn(scenario, H1, instance)
    const id = scenario.move(instance, 'cold-migrate', { target: H2 })
    let asked = 0
    const ended = scenario.carry(id, {
      faults: ({ name }) => (name === 'runAt' && ++asked === 1 ? 'fail' : null),
    })
    expect(ended.outcome).toBe('failed')
    expect(unitsOn(scenario, H1, instance)).toEqual(before)
    expect(scenario.runsAt(instance)).toEqual([H1])
    scenario.checkRest()
  })

  test('1821594, 1855927: a confirm waits for a source that is down, and releases it later', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'cold-migrate')
    scenario.carry(id)
    scenario.event('fall-silent', H1)
    scenario.event('mark-down', H1)
    scenario.requestAction(id, 'confirm')
    const waiting = scenario.carry(id, { until: (migration) => migration.waiting?.for === 'host' })
    expect(waiting).toMatchObject({ step: 'release', waiting: { for: 'host', host: H1 } })
    expect(holders(scenario, instance)).toEqual(['instance@h2', 'migration@h1'])
    scenario.event('answer-again', H1)
    scenario.event('mark-up', H1)
    expect(scenario.carry(id).outcome).toBe('completed')
    scenario.checkRest()
  })

  test('1790204: a same-host resize without capacity for both sides is refused and changes nothing', () => {
    const { scenario, instance } = oneInstance('pinned4')
    scenario.build(flavor('pinned4'), H1)
    const id = scenario.move(instance, 'resize', { newFlavor: flavor('pinned2'), target: H1 })
    const ended = scenario.carry(id)
    expect(ended.outcome).toBe('failed')
    const refusal = ended.cause?.refusals?.[0]?.refusals.find((each) => 'heldBy' in each)
    expect(refusal && 'heldBy' in refusal ? refusal.heldBy : []).toContain(instance)
    scenario.checkRest()
  })

  test('1778563: a restarted conductor reverts a same-host resize to the old units', () => {
    const { scenario, instance } = oneInstance('vf')
    const before = unitsOn(scenario, H1, instance)
    const id = scenario.move(instance, 'resize', { newFlavor: { ...flavor('vf'), name: 'vf1', vcpus: 1 }, target: H1 })
    expect(scenario.carry(id, { owner: 'north' }).step).toBe('verify')
    expect(unitsOn(scenario, H1, id)).toEqual(before)
    scenario.state.now += scenario.options.leaseMs + 1
    scenario.requestAction(id, 'revert')
    expect(scenario.carry(id, { owner: 'south' }).outcome).toBe('reverted')
    expect(unitsOn(scenario, H1, instance)).toEqual(before)
    scenario.checkRest()
  })

  test('a same-host resize on a permanently lost host ends', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'resize', { newFlavor: flavor('pinned4'), target: H1 })
    carryTo(scenario, id, 'transfer')
    scenario.event('destroy', H1)
    expect(scenario.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    expect(holders(scenario, instance)).toEqual(['instance@h1'])
  })

  test('1741125: a retry that races another claim replans and claims once', () => {
    const { scenario, instance } = oneInstance('pinned4')
    const id = scenario.move(instance, 'cold-migrate')
    let raced = false
    scenario.carry(id, {
      until: ({ step }) => step === 'prepare',
      faults: ({ name }) => {
        if (name !== 'commit' || raced) return null
        raced = true
        return 'fail'
      },
    })
    expect(holders(scenario, instance)).toHaveLength(2)
    scenario.carry(id)
    scenario.requestAction(id, 'confirm')
    scenario.carry(id)
    scenario.checkRest()
  })

  test('1856925: an instance on a host that is down is not cold-migrated', () => {
    const { scenario, instance } = oneInstance('pinned2')
    scenario.event('fall-silent', H1)
    scenario.event('mark-down', H1)
    const asked = scenario.ask(instance, 'cold-migrate')
    expect(asked.ok ? [] : asked.refusals.map(({ kind }) => kind)).toEqual(['host-not-up'])
  })
})

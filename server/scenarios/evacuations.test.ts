import { describe, expect, test } from 'vitest'
import { ScriptedScenario } from '../simulation/scripted-scenario'
import { carryTo, flavor, H1, H2, H3, holders, oneInstance, unitsOn } from './migration-fixtures'

// Bugs of Nova's evacuations: the source returns at every possible moment.

const instanceOnDeadHost = (name = 'pinned2') => {
  const { scenario, instance } = oneInstance(name)
  scenario.event('fence', H1)
  return { scenario, instance }
}

describe('evacuations', () => {
  test.each(['up', 'down'] as const)(
    'a host that is only %s is not evacuated, because its instances may run',
    (have) => {
      const { scenario, instance } = oneInstance('pinned2')
      if (have === 'down') for (const event of ['fall-silent', 'mark-down'] as const) scenario.event(event, H1)
      const asked = scenario.ask(instance, 'evacuate')
      expect(asked.ok ? [] : asked.refusals).toMatchObject([{ kind: 'host-not-fenced', need: 'fenced or lost', have }])
      expect(scenario.runsAt(instance)).toEqual([H1])
    },
  )

  test('1896463: an evacuated instance keeps its device', () => {
    const { scenario, instance } = instanceOnDeadHost('vf')
    const id = scenario.move(instance, 'evacuate', { target: H2 })
    expect(scenario.carry(id).outcome).toBe('completed')
    expect(unitsOn(scenario, H2, instance).filter((unit) => unit.startsWith('pci:'))).toHaveLength(1)
    expect(scenario.runsAt(instance)).toEqual([H2])
  })

  test('1709902, 1829479: the end of an evacuation releases the dead source', () => {
    const { scenario, instance } = instanceOnDeadHost()
    scenario.carry(scenario.move(instance, 'evacuate', { target: H2 }))
    expect(holders(scenario, instance)).toEqual(['instance@h2'])
    expect(scenario.host(1).leftovers).toEqual([instance])
  })

  test('1791075: simultaneous evacuations never claim the same CPUs', () => {
    const scenario = new ScriptedScenario()
    const instances = [scenario.build(flavor('pinned4'), H1), scenario.build(flavor('pinned4'), H1)]
    scenario.event('fence', H1)
    const ids = instances.map((instance) => scenario.move(instance, 'evacuate', { target: H2 }))
    for (const id of ids) carryTo(scenario, id, 'transfer')
    for (const id of ids) expect(scenario.carry(id).outcome).toBe('completed')
    const [a, b] = instances.map((instance) => new Set(unitsOn(scenario, H2, instance)))
    expect([...a!].some((unit) => b!.has(unit))).toBe(false)
  })

  test('1713783: an evacuation without a valid host fails at once and keeps the only copy', () => {
    const { scenario, instance } = oneInstance('pinned4')
    for (const host of [H2, H3]) for (let n = 0; n < 2; n++) scenario.build(flavor('pinned4'), host)
    scenario.event('fence', H1)
    const id = scenario.move(instance, 'evacuate')
    expect(scenario.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    scenario.event('return', H1)
    scenario.event('clean', H1)
    scenario.event('recover', H1)
    expect(scenario.runsAt(instance)).toEqual([H1])
    scenario.checkRest()
  })

  test.each(['prepare', 'transfer', 'switch', 'release'] as const)(
    '1764883, 2085975: a source that returns in %s leaves one instance running, on the target',
    (step) => {
      const { scenario, instance } = instanceOnDeadHost()
      const id = scenario.move(instance, 'evacuate', { target: H2 })
      carryTo(scenario, id, step)
      scenario.event('return', H1)
      expect(scenario.runsAt(instance).filter((host) => host === H1)).toEqual([])
      scenario.event('clean', H1)
      expect(scenario.carry(id).outcome).toBe('completed')
      expect(scenario.runsAt(instance)).toEqual([H2])
      scenario.checkRest()
    },
  )

  test('1794996: an instance evacuated and then deleted does not block its old host', () => {
    const { scenario, instance } = instanceOnDeadHost()
    scenario.carry(scenario.move(instance, 'evacuate', { target: H2 }))
    scenario.delete(instance)
    scenario.event('return', H1)
    scenario.event('clean', H1)
    expect(scenario.host(1)).toMatchObject({ scheduling: 'enabled', leftovers: [], holdings: [] })
    scenario.checkRest()
  })

  test('1922053: a returned host runs nothing and accepts no claim until it is cleaned up', () => {
    const { scenario, instance } = instanceOnDeadHost()
    scenario.carry(scenario.move(instance, 'evacuate', { target: H2 }))
    scenario.event('return', H1)
    expect(scenario.host(1).scheduling).toBe('quarantined')
    expect(() => scenario.build(flavor('small'), H1)).toThrow('host-quarantined')
    scenario.event('clean', H1)
    scenario.build(flavor('small'), H1)
    scenario.checkRest()
  })

  test('1669054: an evacuated instance can return to its old host', () => {
    const { scenario, instance } = instanceOnDeadHost()
    scenario.carry(scenario.move(instance, 'evacuate', { target: H2 }))
    scenario.event('return', H1)
    scenario.event('clean', H1)
    const id = scenario.move(instance, 'live-migrate', { target: H1 })
    expect(scenario.carry(id).outcome).toBe('completed')
    expect(scenario.runsAt(instance)).toEqual([H1])
    scenario.checkRest()
  })
})

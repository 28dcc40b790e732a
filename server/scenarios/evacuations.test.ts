import { describe, expect, test } from 'vitest'
import { Story } from '../simulation/story'
import { carryTo, flavor, H1, H2, H3, holders, oneInstance, unitsOn } from './migration-fixtures'

// Bugs of Nova's evacuations: the source returns at every possible moment.

const instanceOnDeadHost = (name = 'pinned2') => {
  const { story, instance } = oneInstance(name)
  story.event('fence', H1)
  return { story, instance }
}

describe('evacuations', () => {
  test('a host that is only down is not evacuated, because its instances may run', () => {
    const { story, instance } = oneInstance('pinned2')
    story.event('fall-silent', H1)
    story.event('mark-down', H1)
    const asked = story.ask(instance, 'evacuate')
    expect(asked.ok ? [] : asked.refusals).toMatchObject([
      { kind: 'host-not-up', need: 'fenced or lost', have: 'down' },
    ])
    expect(story.runsAt(instance)).toEqual([H1])
  })

  test('1896463: an evacuated instance keeps its device', () => {
    const { story, instance } = instanceOnDeadHost('vf')
    const id = story.move(instance, 'evacuate', { target: H2 })
    expect(story.carry(id).outcome).toBe('completed')
    expect(unitsOn(story, H2, instance).filter((unit) => unit.startsWith('pci:'))).toHaveLength(1)
    expect(story.runsAt(instance)).toEqual([H2])
  })

  test('1709902, 1829479: the end of an evacuation releases the dead source', () => {
    const { story, instance } = instanceOnDeadHost()
    story.carry(story.move(instance, 'evacuate', { target: H2 }))
    expect(holders(story, instance)).toEqual(['instance@h2'])
    expect(story.host(1).leftovers).toEqual([instance])
  })

  test('1791075: simultaneous evacuations never claim the same CPUs', () => {
    const story = new Story()
    const instances = [story.build(flavor('pinned4'), H1), story.build(flavor('pinned4'), H1)]
    story.event('fence', H1)
    const ids = instances.map((instance) => story.move(instance, 'evacuate', { target: H2 }))
    for (const id of ids) carryTo(story, id, 'transfer')
    for (const id of ids) expect(story.carry(id).outcome).toBe('completed')
    const [a, b] = instances.map((instance) => new Set(unitsOn(story, H2, instance)))
    expect([...a!].some((unit) => b!.has(unit))).toBe(false)
  })

  test('1713783: an evacuation without a valid host fails at once and keeps the only copy', () => {
    const { story, instance } = oneInstance('pinned4')
    for (const host of [H2, H3]) for (let n = 0; n < 2; n++) story.build(flavor('pinned4'), host)
    story.event('fence', H1)
    const id = story.move(instance, 'evacuate')
    expect(story.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    story.event('return', H1)
    story.event('clean', H1)
    story.event('recover', H1)
    expect(story.runsAt(instance)).toEqual([H1])
    story.checkRest()
  })

  test.each(['prepare', 'transfer', 'switch', 'release'] as const)(
    '1764883, 2085975: a source that returns in %s leaves one instance running, on the target',
    (step) => {
      const { story, instance } = instanceOnDeadHost()
      const id = story.move(instance, 'evacuate', { target: H2 })
      carryTo(story, id, step)
      story.event('return', H1)
      expect(story.runsAt(instance).filter((host) => host === H1)).toEqual([])
      story.event('clean', H1)
      expect(story.carry(id).outcome).toBe('completed')
      expect(story.runsAt(instance)).toEqual([H2])
      story.checkRest()
    },
  )

  test('1794996: an instance evacuated and then deleted does not block its old host', () => {
    const { story, instance } = instanceOnDeadHost()
    story.carry(story.move(instance, 'evacuate', { target: H2 }))
    story.delete(instance)
    story.event('return', H1)
    story.event('clean', H1)
    expect(story.host(1)).toMatchObject({ scheduling: 'enabled', leftovers: [], holdings: [] })
    story.checkRest()
  })

  test('1922053: a returned host runs nothing and accepts no claim until it is cleaned up', () => {
    const { story, instance } = instanceOnDeadHost()
    story.carry(story.move(instance, 'evacuate', { target: H2 }))
    story.event('return', H1)
    expect(story.host(1).scheduling).toBe('quarantined')
    expect(() => story.build(flavor('small'), H1)).toThrow('host-quarantined')
    story.event('clean', H1)
    story.build(flavor('small'), H1)
    story.checkRest()
  })

  test('1669054: an evacuated instance can return to its old host', () => {
    const { story, instance } = instanceOnDeadHost()
    story.carry(story.move(instance, 'evacuate', { target: H2 }))
    story.event('return', H1)
    story.event('clean', H1)
    const id = story.move(instance, 'live-migrate', { target: H1 })
    expect(story.carry(id).outcome).toBe('completed')
    expect(story.runsAt(instance)).toEqual([H1])
    story.checkRest()
  })
})

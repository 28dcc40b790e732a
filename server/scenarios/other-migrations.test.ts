import { describe, expect, test } from 'vitest'
import type { GroupId } from '../engine/words/ids'
import { idOf } from '../simulation/hardware'
import { ScriptedScenario } from '../simulation/scripted-scenario'
import {
  carryTo,
  flavor,
  H1,
  H2,
  H3,
  holders,
  NUMA,
  oneInstance,
  oneMigration,
  PLAIN,
  unitsOn,
} from './migration-fixtures'

// Bugs of Nova's unshelve, rebuild, deletion and server groups.

describe('unshelve and rebuild', () => {
  test('2025480: the claim of an unshelving instance survives an audit', () => {
    const { scenario, instance } = oneInstance('pinned4')
    scenario.shelve(instance)
    const id = scenario.move(instance, 'unshelve', { target: H2 })
    carryTo(scenario, id, 'transfer')
    expect(holders(scenario, instance)).toEqual(['instance@h2'])
    expect(scenario.carry(id).outcome).toBe('completed')
    scenario.checkRest()
  })

  test('1860555: a failed unshelve leaves the instance shelved and without a device', () => {
    const { scenario, instance } = oneInstance('card')
    scenario.shelve(instance)
    const id = scenario.move(instance, 'unshelve', { target: H2 })
    expect(scenario.carry(id, { faults: ({ name }) => (name === 'transfer' ? 'fail' : null) }).outcome).toBe('failed')
    expect(scenario.instance(instance)).toMatchObject({ vmState: 'shelved', host: null })
    expect(holders(scenario, instance)).toEqual([])
    scenario.checkRest()
  })

  test('1732976: repeated rebuilds with the same demand claim nothing more', () => {
    const { scenario, instance } = oneInstance('pinned2')
    const before = unitsOn(scenario, H1, instance)
    for (let n = 0; n < 3; n++) {
      const id = scenario.move(instance, 'rebuild', { newImage: { ...PLAIN, name: `build ${n}` } })
      expect(scenario.migration(id).keepsClaim).toBe(true)
      expect(scenario.carry(id).outcome).toBe('completed')
    }
    expect(unitsOn(scenario, H1, instance)).toEqual(before)
    expect(scenario.host(1).holdings).toHaveLength(1)
    scenario.checkRest()
  })

  test('1763766: a rebuild with another topology claims it beside the old one', () => {
    const { scenario, instance } = oneInstance('small')
    const id = scenario.move(instance, 'rebuild', { newImage: NUMA })
    carryTo(scenario, id, 'transfer')
    expect(holders(scenario, instance)).toEqual(['instance@h1', 'migration@h1'])
    expect(scenario.carry(id).outcome).toBe('completed')
    expect(scenario.host(1).holdings.map(({ body }) => body.cells.length)).toEqual([1])
    scenario.checkRest()
  })
})

describe('deletion, groups and concurrent requests', () => {
  test('1848343, 1836754: a migrating instance cannot be deleted', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(scenario, id, 'transfer')
    expect(() => scenario.delete(instance)).toThrow('already-moving')
    scenario.requestAction(id, 'abort')
    scenario.carry(id)
    scenario.delete(instance)
    expect(scenario.host(1).holdings).toEqual([])
    scenario.checkRest()
  })

  test('an instance has one migration at a time', () => {
    const { scenario, instance } = oneInstance('pinned2')
    scenario.move(instance, 'cold-migrate')
    const asked = scenario.ask(instance, 'live-migrate')
    expect(asked.ok ? [] : asked.refusals.map(({ kind }) => kind)).toEqual(['already-moving'])
  })

  test('1821755, 1735407: parallel evacuations of a group never meet on one host', () => {
    const group = idOf(6, 1) as GroupId
    const row = { id: group, policy: 'anti-affinity', maxPerHost: 1, generation: 0 } as const
    const scenario = new ScriptedScenario({ groups: [row] })
    const one = scenario.build(flavor('small'), H1, { group })
    const two = scenario.build(flavor('small'), H2, { group })
    scenario.event('fence', H1)
    scenario.event('fence', H2)
    const migrations = [one, two].map((instance) => scenario.move(instance, 'evacuate', { target: H3 }))
    const outcomes = migrations.map((id) => scenario.carry(id).outcome)
    expect(outcomes).toEqual(['completed', 'failed'])
    expect(scenario.migration(migrations[1]!).cause?.refusals?.[0]?.refusals.map(({ kind }) => kind)).toContain(
      'anti-affinity',
    )
  })

  test('1718512, 1797580: a migration leaves nothing that restricts the next one', () => {
    const { scenario, instance } = oneInstance('pinned2')
    const first = scenario.move(instance, 'cold-migrate', { target: H2 })
    scenario.carry(first)
    scenario.requestAction(first, 'confirm')
    scenario.carry(first)
    const second = scenario.move(instance, 'live-migrate', { target: H3 })
    expect(scenario.carry(second).outcome).toBe('completed')
    const third = scenario.move(instance, 'live-migrate', { target: H1 })
    expect(scenario.carry(third).outcome).toBe('completed')
    scenario.checkRest()
  })

  test('1983753: a resize from two devices to one claims only one', () => {
    const scenario = new ScriptedScenario()
    const two = {
      ...flavor('vf'),
      name: 'vf2',
      extraSpecs: { ...flavor('vf').extraSpecs, 'pci_passthrough:alias': 'vf:2' },
    }
    const instance = scenario.build(two, H1)
    scenario.build(flavor('vf'), H2)
    const id = scenario.move(instance, 'resize', { newFlavor: flavor('vf'), target: H2 })
    expect(scenario.carry(id).step).toBe('verify')
    scenario.requestAction(id, 'confirm')
    scenario.carry(id)
    expect(unitsOn(scenario, H2, instance).filter((unit) => unit.startsWith('pci:'))).toHaveLength(1)
    scenario.checkRest()
  })
})

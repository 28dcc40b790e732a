import { describe, expect, test } from 'vitest'
import type { GroupId } from '../engine/words/ids'
import { idOf } from '../simulation/hardware'
import { Story } from '../simulation/story'
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
    const { story, instance } = oneInstance('pinned4')
    story.shelve(instance)
    const id = story.move(instance, 'unshelve', { target: H2 })
    carryTo(story, id, 'transfer')
    expect(holders(story, instance)).toEqual(['instance@h2'])
    expect(story.carry(id).outcome).toBe('completed')
    story.checkRest()
  })

  test('1860555: a failed unshelve leaves the instance shelved and without a device', () => {
    const { story, instance } = oneInstance('card')
    story.shelve(instance)
    const id = story.move(instance, 'unshelve', { target: H2 })
    expect(story.carry(id, { faults: ({ name }) => (name === 'transfer' ? 'fail' : null) }).outcome).toBe('failed')
    expect(story.instance(instance)).toMatchObject({ vmState: 'shelved', host: null })
    expect(holders(story, instance)).toEqual([])
    story.checkRest()
  })

  test('1732976: repeated rebuilds with the same demand claim nothing more', () => {
    const { story, instance } = oneInstance('pinned2')
    const before = unitsOn(story, H1, instance)
    for (let n = 0; n < 3; n++) {
      const id = story.move(instance, 'rebuild', { newImage: { ...PLAIN, name: `build ${n}` } })
      expect(story.migration(id).keepsClaim).toBe(true)
      expect(story.carry(id).outcome).toBe('completed')
    }
    expect(unitsOn(story, H1, instance)).toEqual(before)
    expect(story.host(1).holdings).toHaveLength(1)
    story.checkRest()
  })

  test('1763766: a rebuild with another topology claims it beside the old one', () => {
    const { story, instance } = oneInstance('small')
    const id = story.move(instance, 'rebuild', { newImage: NUMA })
    carryTo(story, id, 'transfer')
    expect(holders(story, instance)).toEqual(['instance@h1', 'migration@h1'])
    expect(story.carry(id).outcome).toBe('completed')
    expect(story.host(1).holdings.map(({ body }) => body.cells.length)).toEqual([1])
    story.checkRest()
  })
})

describe('deletion, groups and concurrent requests', () => {
  test('1848343, 1836754: a migrating instance cannot be deleted', () => {
    const { story, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(story, id, 'transfer')
    expect(() => story.delete(instance)).toThrow('already-moving')
    story.requestAction(id, 'abort')
    story.carry(id)
    story.delete(instance)
    expect(story.host(1).holdings).toEqual([])
    story.checkRest()
  })

  test('an instance has one migration at a time', () => {
    const { story, instance } = oneInstance('pinned2')
    story.move(instance, 'cold-migrate')
    const asked = story.ask(instance, 'live-migrate')
    expect(asked.ok ? [] : asked.refusals.map(({ kind }) => kind)).toEqual(['already-moving'])
  })

  test('1821755, 1735407: parallel evacuations of a group never meet on one host', () => {
    const group = idOf(6, 1) as GroupId
    const row = { id: group, policy: 'anti-affinity', maxPerHost: 1, generation: 0 } as const
    const story = new Story({ groups: [row] })
    const one = story.build(flavor('small'), H1, { group })
    const two = story.build(flavor('small'), H2, { group })
    story.event('fence', H1)
    story.event('fence', H2)
    const migrations = [one, two].map((instance) => story.move(instance, 'evacuate', { target: H3 }))
    const outcomes = migrations.map((id) => story.carry(id).outcome)
    expect(outcomes).toEqual(['completed', 'failed'])
    expect(story.migration(migrations[1]!).cause?.refusals?.[0]?.refusals.map(({ kind }) => kind)).toContain(
      'anti-affinity',
    )
  })

  test('1718512, 1797580: a migration leaves nothing that restricts the next one', () => {
    const { story, instance } = oneInstance('pinned2')
    const first = story.move(instance, 'cold-migrate', { target: H2 })
    story.carry(first)
    story.requestAction(first, 'confirm')
    story.carry(first)
    const second = story.move(instance, 'live-migrate', { target: H3 })
    expect(story.carry(second).outcome).toBe('completed')
    const third = story.move(instance, 'live-migrate', { target: H1 })
    expect(story.carry(third).outcome).toBe('completed')
    story.checkRest()
  })

  test('1983753: a resize from two devices to one claims only one', () => {
    const story = new Story()
    const two = {
      ...flavor('vf'),
      name: 'vf2',
      extraSpecs: { ...flavor('vf').extraSpecs, 'pci_passthrough:alias': 'vf:2' },
    }
    const instance = story.build(two, H1)
    story.build(flavor('vf'), H2)
    const id = story.move(instance, 'resize', { newFlavor: flavor('vf'), target: H2 })
    expect(story.carry(id).step).toBe('verify')
    story.requestAction(id, 'confirm')
    story.carry(id)
    expect(unitsOn(story, H2, instance).filter((unit) => unit.startsWith('pci:'))).toHaveLength(1)
    story.checkRest()
  })
})

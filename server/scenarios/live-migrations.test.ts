import { describe, expect, test } from 'vitest'
import type { HostId } from '../engine/words/ids'
import { ScriptedScenario } from '../simulation/scripted-scenario'
import { carryTo, flavor, H1, H2, H3, holders, oneInstance, oneMigration, unitsOn } from './migration-fixtures'

// Bugs of Nova's live migration, replayed on our records and simulated machines. The laws and the whole audit are
// checked after every effect of every scenario. Numbers are Launchpad's.

describe('live migrations', () => {
  test('1289064: a pinned instance gets its own CPUs on the target', () => {
    const scenario = new ScriptedScenario()
    const other = scenario.build(flavor('pinned2'), H2)
    const instance = scenario.build(flavor('pinned2'), H1)
    const id = scenario.move(instance, 'live-migrate', { target: H2 })
    expect(scenario.carry(id).outcome).toBe('completed')
    const taken = new Set(unitsOn(scenario, H2, other))
    expect(unitsOn(scenario, H2, instance).some((unit) => taken.has(unit))).toBe(false)
    scenario.checkRest()
  })

  test('a host that did not answer the last survey is chosen only when no other fits', () => {
    const chosen = (silent: readonly HostId[]) => {
      const scenario = new ScriptedScenario({ ticks: { silentHosts: new Set(silent) } })
      const id = scenario.move(scenario.build(flavor('pinned2'), H1), 'live-migrate')
      return carryTo(scenario, id, 'prepare').target
    }
    const first = chosen([])
    const second = first === H2 ? H3 : H2
    expect(chosen([first!])).toBe(second)
    expect([H2, H3]).toContain(chosen([H2, H3]))
  })

  test('1845146: both sides are held from the start and cannot be claimed', () => {
    const { scenario, instance, id } = oneMigration('pinned4', 'live-migrate')
    carryTo(scenario, id, 'prepare')
    expect(holders(scenario, instance)).toEqual(['instance@h2', 'migration@h1'])
    scenario.build(flavor('pinned4'), H2)
    expect(() => scenario.build(flavor('pinned2'), H2)).toThrow('dedicated-cpus')
    scenario.carry(id)
    scenario.checkRest()
  })

  test.each([
    ['1894095: a failed migration releases the target in its final commit', 'fail'],
    ['1712411: a target that fails in prepare keeps nothing', 'half-and-fail'],
  ] as const)('%s', (_, fault) => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    const ended = scenario.carry(id, { faults: ({ name }) => (name === 'prepare' ? fault : null) })
    expect(ended.outcome).toBe('failed')
    expect(holders(scenario, instance)).toEqual(['instance@h1'])
    scenario.checkRest()
  })

  test('1949808: aborting a queued migration leaves no claim', () => {
    const scenario = new ScriptedScenario({ ticks: { limits: { perSource: 1, perTarget: 1, fleet: 1 } } })
    const first = scenario.build(flavor('pinned2'), H1)
    const second = scenario.build(flavor('pinned2'), H1)
    const running = scenario.move(first, 'live-migrate', { target: H2 })
    carryTo(scenario, running, 'transfer')
    const queued = scenario.move(second, 'live-migrate', { target: H2 })
    scenario.carry(queued, { until: ({ waiting }) => waiting?.for === 'slot' })
    expect(scenario.migration(queued).waiting).toEqual({ for: 'slot', place: 1 })
    scenario.requestAction(queued, 'abort')
    expect(scenario.carry(queued).outcome).toBe('aborted')
    expect(holders(scenario, second)).toEqual(['instance@h1'])
    scenario.carry(running)
    scenario.checkRest()
  })

  test('1960412: aborting during the copy restores everything at the source', () => {
    const { scenario, instance } = oneInstance('vf')
    const before = unitsOn(scenario, H1, instance)
    const id = scenario.move(instance, 'live-migrate', { target: H2 })
    carryTo(scenario, id, 'transfer')
    scenario.requestAction(id, 'abort')
    expect(scenario.carry(id).outcome).toBe('aborted')
    expect(unitsOn(scenario, H1, instance)).toEqual(before)
    expect(scenario.runsAt(instance)).toEqual([H1])
    scenario.checkRest()
  })

  test('an abort after the hand-over is too late, and the migration continues', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    scenario.carry(id, { hold: true, until: () => scenario.state.simulatedMachines.jobs.has(id) })
    const job = scenario.state.simulatedMachines.jobs.get(id)!
    while (scenario.state.simulatedMachines.jobs.has(id)) scenario.state.simulatedMachines.progress(job)
    expect(scenario.runsAt(instance)).toEqual([H2])
    scenario.requestAction(id, 'abort')
    expect(scenario.carry(id).outcome).toBe('completed')
    expect(scenario.runsAt(instance)).toEqual([H2])
    scenario.checkRest()
  })

  test('1753676: the next conductor finds a copy running after the first one died', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(scenario, id, 'transfer')
    scenario.carry(id, { owner: 'north', until: () => scenario.state.simulatedMachines.jobs.has(id), hold: true })
    scenario.state.now += scenario.options.leaseMs + 1
    const ended = scenario.carry(id, { owner: 'south' })
    expect(ended.outcome).toBe('completed')
    expect(scenario.runsAt(instance)).toEqual([H2])
    scenario.checkRest()
  })

  test('1628606: an interrupted end leaves the instance recorded at the target, where it runs', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    let broken = false
    const ended = scenario.carry(id, {
      faults: ({ name }) => {
        if (name !== 'runAt' || broken) return null
        broken = true
        return 'half-and-fail'
      },
    })
    expect(ended.outcome).toBe('completed')
    expect(scenario.instance(instance).host).toBe(H2)
    expect(scenario.runsAt(instance)).toEqual([H2])
    scenario.checkRest()
  })

  test('2044235: a silent source keeps the instance unchanged, and the migration names the host it waits for', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(scenario, id, 'prepare')
    scenario.event('fall-silent', H1)
    const waiting = scenario.carry(id, { until: (migration) => migration.waiting !== null })
    expect(waiting.waiting).toMatchObject({ for: 'host' })
    expect(scenario.instance(instance).vmState).toBe('active')
    expect(scenario.runsAt(instance)).toEqual([H1])
    scenario.event('answer-again', H1)
    expect(scenario.carry(id).outcome).toBe('completed')
    scenario.checkRest()
  })

  test('1662626: a migration ends once its dead source is marked', () => {
    const { scenario, instance, id } = oneMigration('pinned2', 'live-migrate')
    carryTo(scenario, id, 'transfer')
    scenario.event('fence', H1)
    expect(scenario.carry(id)).toMatchObject({ step: 'ended', outcome: 'failed' })
    expect(holders(scenario, instance)).toEqual(['instance@h1'])
    const rescue = scenario.move(instance, 'evacuate', { target: H3 })
    expect(scenario.carry(rescue).outcome).toBe('completed')
    expect(scenario.runsAt(instance)).toEqual([H3])
  })
})

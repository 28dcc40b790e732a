import { afterEach, describe, expect, test } from 'vitest'
import { hostId, type SmallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import type { InstanceId } from '../engine/words/ids'
import { readHost } from '../store/host/read'
import { noteSurvey } from '../store/survey/survey'
import { BARE, equalHosts, isOver, newRunScenario, type RunScenario } from './running'

// Drains of hosts (S6), from the plan that an operator sees to the last instance, on real PostgreSQL and the simulated
// fleet.

const [H1, H2, H3] = [hostId(1), hostId(2), hostId(3)]
const WITH_VF = pinned(1, { 'pci_passthrough:alias': 'vf:1' })

let on: RunScenario
afterEach(async () => {
  expect(await on.scenario.findings()).toEqual([])
  await on.close()
})

async function setUp(hosts: number, set: SmallHost = BARE): Promise<RunScenario> {
  on = await newRunScenario({ hosts: equalHosts(hosts, set) })
  return on
}

const held = async (id = H1) => (await readHost(on.scenario.database, id))!.holdings.length
const stateOf = (migrations: readonly { instance: { id: string }; state: string }[], id: InstanceId) =>
  migrations.findLast(({ instance }) => instance.id === id)?.state

describe('a drain', () => {
  test('of a host with all kinds of instances ends empty, and every migration has a reason', async () => {
    const { scenario, olga, started, until } = await setUp(3, { shared: 2, vfs: 2 })
    const plain = await scenario.running({ flavor: flavor(2), host: H1 })
    const pins = await scenario.running({ flavor: pinned(2), host: H1 })
    const device = await scenario.running({ flavor: WITH_VF, host: H1 })
    const id = await started(H1)
    expect(await readHost(scenario.database, H1)).toMatchObject({ scheduling: 'disabled' })
    expect((await olga.host.byId({ id: H1 })).reason).toContain('new firmware')
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', total: 3, done: 3, left: 0, failed: 0, by: 'the_operator' })
    expect(await held()).toBe(0)
    const method = (id: InstanceId) => run.migrations.find(({ instance }) => instance.id === id)?.method
    expect([plain, pins, device].map(method)).toEqual(['live-migrate', 'live-migrate', 'cold-migrate'])
    const cold = run.migrations.find(({ instance }) => instance.id === device)!
    expect(cold.refusing?.rules.map(({ rule }) => rule)).toContain('device-not-migratable')
    expect(cold.why).not.toBe('')
    const detail = await olga.migration.byId({ id: run.migrations[0]!.migration! })
    expect(detail).toMatchObject({ startedBy: 'the_operator', reason: 'drain of h1: new firmware' })
    expect((await olga.run.list({ kind: 'drain' })).map((row) => [row.id, row.done])).toEqual([[id, 3]])
  })

  test('does exactly what its plan announced: same hosts, same methods, no other stops', async () => {
    const { scenario, olga, planned, until } = await setUp(4, { shared: 2, vfs: 2 })
    const instances = [flavor(1), flavor(2), pinned(1), pinned(2), WITH_VF, WITH_VF]
    for (const each of instances) await scenario.running({ flavor: each, host: H1 })
    const id = await planned(H1)
    const announced = await on.read(id)
    await olga.run.start({ id, reason: 'new firmware' })
    const run = await until(id, isOver)
    const shown = ({ migrations }: typeof run) =>
      migrations.map(({ instance, to, method }) => [instance.name, to?.name, method])
    expect(shown(run)).toEqual(shown(announced))
    for (const { migration, method, to } of run.migrations) {
      const done = await olga.migration.byId({ id: migration! })
      expect([done.operation, done.target?.id, done.outcome]).toEqual([method, to?.id, 'completed'])
    }
    // Cold migrations stop their instances; for live ones the run reports the measured downtime.
    const stops = announced.migrations.filter(({ method }) => method !== 'live-migrate')
    expect(stops.map(({ instance }) => instance.name).length).toBe(2)
    expect(run.estimate.causedMs).toBeGreaterThan(0)
  })

  test('never has more active migrations than the limits allow', async () => {
    const { scenario, started, until } = await setUp(3)
    for (let n = 0; n < 4; n++) await scenario.running({ flavor: pinned(1), host: H1 })
    let most = 0
    const id = await started(H1)
    await until(id, (run) => {
      most = Math.max(most, run.migrations.filter(({ state }) => state === 'moving').length)
      return isOver(run)
    })
    expect(most).toBe(2)
    expect(await held()).toBe(0)
  })

  test('of a tight fleet first migrates an instance of another host', async () => {
    const { scenario, started, until } = await setUp(3)
    const large = await scenario.running({ flavor: pinned(4), host: H1 })
    const aside = [H2, H3]
    for (const host of aside) await scenario.running({ flavor: pinned(2), host })
    const id = await started(H1)
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', total: 1, done: 1 })
    expect(run.migrations).toMatchObject([
      { helper: true, wave: 1, state: 'done' },
      { helper: false, wave: 2, after: [1] },
    ])
    expect(run.migrations[1]!.instance.id).toBe(large)
    expect(await held()).toBe(0)
  })

  test('stops instances that cannot live-migrate if the operator chose so, and leaves them on the host', async () => {
    const { scenario, started, until } = await setUp(2, { ...BARE, vfs: 1 })
    const device = await scenario.running({ flavor: WITH_VF, host: H1 })
    await scenario.fleet.setFault(H1, { do: 'plan', fault: { on: 'power', nth: 1, goes: 'fail' } })
    const id = await started(H1, { fallback: 'stop' })
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', total: 1, done: 0, left: 1 })
    expect(run.migrations).toMatchObject([{ method: 'stop', state: 'stays' }])
    expect(run.migrations[0]!.why).toMatch(/is stopped$/)
    expect(await scenario.instance(device)).toMatchObject({ host: H1, vmState: 'stopped' })
    expect(await scenario.fleet.survey(H1)).toMatchObject([{ instance: device, observedState: 'stopped' }])
    const heard = await scenario.database.pool.query(
      "select who, reason from audit_entry where action = 'instance.stopped'",
    )
    expect(heard.rows).toEqual([{ who: 'the_operator', reason: 'drain of h1: new firmware' }])
  })

  test('replans when a target goes down, and shows how the plan changed', async () => {
    const { scenario, started, until, read } = await setUp(3)
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    const id = await started(H1)
    const planned = (await read(id)).migrations[0]!.to!.id
    const other = [H2, H3].find((host) => host !== planned)!
    await scenario.operators.setStatus(planned as typeof H2, 'down')
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', done: 1, planVersion: 2 })
    expect(run.diffs).toMatchObject([
      { version: 2, because: expect.stringContaining('is down'), lines: [{ sign: '~' }] },
    ])
    expect((await scenario.instance(web)).host).toBe(other)
  })

  test('abandons a migration to a host that died, so that others get its slot', async () => {
    const { scenario, started, until, round, read } = await setUp(3)
    for (let n = 0; n < 3; n++) await scenario.running({ flavor: pinned(1), host: H1 })
    const id = await started(H1)
    await round()
    const dead = (await read(id)).migrations.find(({ state }) => state === 'moving')!.to!.id as typeof H2
    await scenario.fleet.setFault(dead, { do: 'kill' })
    const onItsWay = ({ migrations }: { migrations: readonly { state: string; to: { id: string } | null }[] }) =>
      migrations.filter(({ state, to }) => state === 'moving' && to?.id === dead)
    const stuck = await until(
      id,
      (run) => run.done > 0 && run.diffs.some(({ because }) => because.includes('does not answer')),
    )
    expect(onItsWay(stuck).length).toBeGreaterThan(0)
    // The state of the dead host is unknown: instances on their way there wait until an operator marks it as fenced.
    await until(id, ({ migrations }) => migrations.every(({ state, to }) => state === 'done' || to?.id === dead))
    await scenario.fleet.setFault(dead, { do: 'fence' })
    await scenario.operators.setStatus(dead, 'fenced')
    expect(await until(id, isOver)).toMatchObject({ state: 'done', done: 3, left: 0 })
    expect(await held()).toBe(0)
  })

  test('plans around a host that did not answer the last survey', async () => {
    const { scenario, started, until, read } = await setUp(3)
    await scenario.running({ flavor: pinned(1), host: H1 })
    await noteSurvey(scenario.database, [{ host: H2, at: scenario.now(), guests: null }])
    const id = await started(H1)
    expect((await read(id)).migrations).toMatchObject([{ to: { id: H3 } }])
    expect(await until(id, isOver)).toMatchObject({ state: 'done', done: 1, planVersion: 1 })
  })

  test('retries a failed migration elsewhere, and gives up after three attempts', async () => {
    const { scenario, started, until } = await setUp(3)
    const web = await scenario.running({ flavor: pinned(2), host: H1 })
    for (const host of [H2, H3]) {
      for (const nth of [1, 2, 3])
        await scenario.fleet.setFault(host, { do: 'plan', fault: { on: 'prepare', nth, goes: 'fail' } })
    }
    const id = await started(H1)
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', done: 0, left: 1, failed: 1 })
    expect(run.migrations.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    expect((await scenario.instance(web)).host).toBe(H1)
  })

  test('continues on another server from where the first one died', async () => {
    const { scenario, started, until, read, round } = await setUp(2)
    for (let n = 0; n < 3; n++) await scenario.running({ flavor: pinned(1), host: H1 })
    const id = await started(H1)
    await round()
    expect((await read(id)).migrations.filter(({ state }) => state === 'moving')).toHaveLength(2)
    // The first server stops working here; the migrations that it started are in the tables.
    await scenario.conductor.stop()
    scenario.newConductor('server-2')
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', done: 3 })
    expect(run.migrations.map(({ migration }) => migration).filter((each) => each !== null)).toHaveLength(3)
  })

  test('includes an instance that arrived after the plan was made', async () => {
    const { scenario, olga, planned, until } = await setUp(2)
    await scenario.running({ flavor: pinned(1), host: H1 })
    const id = await planned(H1, { reason: 'disks' })
    const late = await scenario.running({ flavor: pinned(1), host: H1 })
    await olga.run.start({ id, reason: 'disks' })
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', total: 2, done: 2 })
    expect(stateOf(run.migrations, late)).toBe('done')
    expect(run.diffs[0]!.because).toContain('is on the host now')
  })
})

describe('an operator', () => {
  test('pauses, resumes and skips', async () => {
    const { scenario, olga, started, until, round, read } = await setUp(2)
    const instances: InstanceId[] = []
    for (let n = 0; n < 3; n++) instances.push(await scenario.running({ flavor: pinned(1), host: H1 }))
    const id = await started(H1)
    await round()
    await olga.run.control({ id, do: 'pause' })
    const paused = await until(id, ({ migrations }) => migrations.every(({ state }) => state !== 'moving'))
    expect(paused).toMatchObject({ state: 'paused', done: 2 })
    expect(paused.permitted.pause).toMatchObject({ ok: false })
    await round()
    expect(await held()).toBe(1)
    const last = paused.migrations.find(({ state }) => state === 'planned')!
    expect(last.permitted.skip).toEqual({ ok: true })
    await olga.run.controlMigration({ id, n: last.n, do: 'skip' })
    await olga.run.control({ id, do: 'resume' })
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', done: 2, left: 1 })
    await expect(olga.run.controlMigration({ id, n: last.n, do: 'retry' })).rejects.toThrow(/The drain is done/)
    expect((await read(id)).migrations.map(({ state }) => state).sort()).toEqual(['done', 'done', 'skipped'])
  })

  test('stops a run: active migrations end, no other starts, and the host stays disabled', async () => {
    const { scenario, olga, started, until, round } = await setUp(2)
    for (let n = 0; n < 3; n++) await scenario.running({ flavor: pinned(1), host: H1 })
    const id = await started(H1)
    await round()
    await olga.run.control({ id, do: 'stop' })
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'stopped', done: 2, note: 'stopped by the_operator' })
    expect(await held()).toBe(1)
    expect(await readHost(scenario.database, H1)).toMatchObject({ scheduling: 'disabled' })
  })

  test('changes the method and the order of one instance in a draft', async () => {
    const { scenario, olga, planned } = await setUp(2, { ...BARE, vfs: 1 })
    const web = await scenario.running({ flavor: pinned(1), host: H1 })
    const device = await scenario.running({ flavor: WITH_VF, host: H1 })
    const id = await planned(H1, { fallback: 'stay', reason: 'disks' })
    const draft = await olga.run.byId({ id })
    expect(stateOf(draft.migrations, device)).toBe('stays')
    expect(draft.blockers).toMatchObject([
      { instance: { id: device }, smallestChange: 'cold-migrated, it would go to h2' },
    ])
    const n = draft.migrations.find(({ instance }) => instance.id === device)!.n
    await olga.run.controlMigration({ id, n, do: 'first', method: 'cold-migrate' })
    const changed = await olga.run.byId({ id })
    expect(changed.diffs).toMatchObject([{ lines: [{ sign: '~', what: 'stays, now cold-migrate to h2' }] }])
    expect(changed.migrations.map(({ instance, method }) => [instance.id, method])).toEqual([
      [device, 'cold-migrate'],
      [web, 'live-migrate'],
    ])
  })

  test('cannot drain one host twice at once, nor a host that is down', async () => {
    const { scenario, olga, started } = await setUp(2)
    await scenario.running({ flavor: pinned(1), host: H1 })
    await started(H1)
    await expect(started(H1)).rejects.toThrow(/Another drain of h1 is running/)
    await scenario.operators.setStatus(H2, 'down')
    await expect(started(H2)).rejects.toThrow(/h2 is down/)
    const [run] = await olga.run.list({})
    await expect(on.api.as('support').run.control({ id: run!.id, do: 'stop' })).rejects.toThrow(/needs operator/)
  })
})

describe('an impossible drain', () => {
  test('shows the proof and the smallest change, and ends with the instances left', async () => {
    const { scenario, started, read, until } = await setUp(2)
    const large = await scenario.running({ flavor: pinned(3), host: H1 })
    const small = await scenario.running({ flavor: pinned(1), host: H1 })
    const inTheWay = await scenario.running({ flavor: pinned(2), host: H2 })
    const id = await started(H1)
    const { name } = await scenario.instance(inTheWay)
    const plan = await read(id)
    expect(plan.blockers).toMatchObject([
      { instance: { id: large }, proof: 'exhaustive', rule: 'amount', smallestChange: `${name} away from h2` },
    ])
    expect(plan.migrations.find(({ instance }) => instance.id === large)!.refusals).toMatchObject([
      { host: { name: 'h2' }, refusals: [{ kind: 'amount' }, {}] },
    ])
    const run = await until(id, isOver)
    expect(run).toMatchObject({ state: 'done', total: 2, done: 1, left: 1 })
    expect(stateOf(run.migrations, small)).toBe('done')
  })
})

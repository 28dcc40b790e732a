import { afterEach, describe, expect, test } from 'vitest'
import { hostId } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import { putSetting } from '../store/catalog/policy'
import { readHost } from '../store/host/read'
import { noteSurvey } from '../store/survey/survey'
import { BARE, equalHosts, isOver, newRunScenario, type RunScenario } from './running'

// Evacuation of a dead host (S7): verified or attested fencing, a preview, rebuilds by priority, and the return of the
// host in the middle of it.

const [H1, H2] = [hostId(1), hostId(2)]

let on: RunScenario
afterEach(async () => {
  expect(await on.scenario.findings()).toEqual([])
  await on.close()
})

/** The limit per source does not apply to a dead host, so the fleet's limit bounds an evacuation. */
const TWO_AT_ONCE = { perSource: 2, perTarget: 2, fleet: 2 }

interface EvacuationSetup {
  readonly hosts?: number
  readonly cores?: number
  readonly limits?: typeof TWO_AT_ONCE
}

async function setUp(
  instances: number,
  { hosts = 3, cores = 4, limits }: EvacuationSetup = {},
): Promise<readonly InstanceId[]> {
  on = await newRunScenario({
    hosts: equalHosts(hosts, { ...BARE, cores }),
    ...(limits && { limits }),
  })
  const made: InstanceId[] = []
  for (let n = 0; n < instances; n++) made.push(await on.scenario.running({ flavor: pinned(1), host: H1 }))
  return made
}

async function die(status: 'down' | 'fenced'): Promise<void> {
  await on.scenario.fleet.setFault(H1, { do: status === 'fenced' ? 'fence' : 'kill' })
  await on.scenario.operators.setStatus(H1, status)
  await on.api.settle()
}

const view = async () => {
  await on.api.settle()
  return { ...(await on.olga.run.evacuation({ host: H1 })), ...(await on.olga.run.evacuationPlan({ host: H1 })) }
}
const surveyedInstances = async (host = H1) =>
  (await on.scenario.fleet.survey(host))?.map(({ instance }) => instance).sort()

describe('an evacuation', () => {
  test('shows its plan before it starts, and has every instance running within 10 s', async () => {
    const instances = await setUp(3)
    await die('fenced')
    const preview = await view()
    expect(preview).toMatchObject({
      run: null,
      permit: { ok: true },
      fencing: { state: 'attested', by: 'olga' },
      blockers: [],
    })
    expect(preview.guests.map(({ method, state }) => [method, state])).toEqual(
      instances.map(() => ['evacuate', 'planned']),
    )
    const began = on.scenario.now()
    const id = await on.started(H1, { kind: 'evacuation' })
    await on.round()
    const claimed = async () => {
      const begun = (await on.read(id)).migrations.flatMap(({ migration }) => migration ?? [])
      const migrations = await Promise.all(begun.map((each) => on.scenario.migration(each as MigrationId)))
      return migrations.length === 3 && migrations.every(({ target }) => target !== null)
    }
    await on.scenario.until(claimed)
    expect(on.scenario.now() - began).toBeLessThan(10_000)
    const run = await on.until(id, isOver)
    expect(run).toMatchObject({ kind: 'evacuation', state: 'done', done: 3, left: 0 })
    for (const instance of instances) expect((await on.scenario.instance(instance)).host).not.toBe(H1)
    expect((await readHost(on.scenario.database, H1))!.leftovers.toSorted()).toEqual(instances.toSorted())
  })

  test('of a silent host requires an attestation with the typed name of the host', async () => {
    await setUp(1)
    await die('down')
    const { fencing, permit } = await view()
    expect({ fencing, permit }).toMatchObject({ fencing: { state: 'none' }, permit: { ok: true } })
    await expect(on.started(H1, { kind: 'evacuation' })).rejects.toThrow(/type its name to attest/)
    await expect(on.started(H1, { kind: 'evacuation', attest: 'h2' })).rejects.toThrow(/type its name to attest/)
    expect((await readHost(on.scenario.database, H1))!.status).toBe('down')
    // The power is really off, so the attestation is true.
    await on.scenario.fleet.setFault(H1, { do: 'fence' })
    const id = await on.started(H1, { kind: 'evacuation', attest: 'h1' })
    expect((await readHost(on.scenario.database, H1))!.status).toBe('fenced')
    expect((await view()).fencing).toMatchObject({ state: 'attested', by: 'the_operator', how: 'new firmware' })
    expect(await on.until(id, isOver)).toMatchObject({ state: 'done', done: 1 })
  })

  test('of a host that is up is refused', async () => {
    await setUp(1)
    await on.api.settle()
    await expect(on.started(H1, { kind: 'evacuation' })).rejects.toThrow(
      /is recorded as up, so its instances may run there/,
    )
    expect((await view()).permit).toMatchObject({ ok: false })
  })

  test('follows priorities: an instance put first is rebuilt first', async () => {
    const instances = await setUp(3, { limits: TWO_AT_ONCE })
    await die('fenced')
    const id = await on.planned(H1, { kind: 'evacuation', reason: 'it burnt' })
    const draft = await on.read(id)
    const last = draft.migrations.at(-1)!
    await on.olga.run.controlMigration({ id, n: last.n, do: 'first' })
    await on.olga.run.start({ id, reason: 'it burnt' })
    await on.round()
    const moving = (await on.read(id)).migrations.filter(({ state }) => state === 'moving')
    expect(moving.map(({ instance }) => instance.id)).toContain(last.instance.id)
    expect(moving).toHaveLength(2)
    expect(await on.until(id, isOver)).toMatchObject({ done: instances.length })
  })

  test('stops when the host is back, which stays closed until clean and keeps the instances left', async () => {
    const instances = await setUp(6, { cores: 8, limits: TWO_AT_ONCE })
    await die('fenced')
    const id = await on.started(H1, { kind: 'evacuation' })
    await on.round()
    expect((await on.read(id)).migrations.filter(({ state }) => state === 'moving')).toHaveLength(2)
    await on.until(id, ({ migrations }) => migrations.some(({ state }) => state === 'done'))
    await on.scenario.fleet.setFault(H1, { do: 'return' })
    await on.scenario.operators.setStatus(H1, 'up')
    const back = await view()
    expect(back).toMatchObject({ status: 'up', quarantined: true })
    expect(back.stale.length).toBeGreaterThan(0)
    expect(back.stale.every(({ livesOn }) => livesOn !== null && livesOn.name !== 'h1')).toBe(true)
    expect(await on.scenario.operators.build({ flavor: pinned(1), host: H1 })).toBeNull()
    const run = await on.until(id, isOver)
    expect(run).toMatchObject({ state: 'stopped', note: 'h1 is up again' })
    await on.scenario.until(async () => (await readHost(on.scenario.database, H1))!.scheduling === 'enabled')
    const away: InstanceId[] = []
    for (const instance of instances) if ((await on.scenario.instance(instance)).host !== H1) away.push(instance)
    expect(away.length).toBeGreaterThan(0)
    expect(away.length).toBeLessThan(instances.length)
    expect(await surveyedInstances()).toEqual(instances.filter((instance) => !away.includes(instance)).toSorted())
    expect((await view()).stale).toEqual([])
  })

  test('of a silent host waits for two-person approval where the rule says so', async () => {
    await setUp(1)
    await die('down')
    await putSetting(on.scenario.database, 'second-person', ['fenced'])
    expect(await view()).toMatchObject({ asks: true, approval: null, permit: { ok: true } })
    const run = await on.planned(H1, { kind: 'evacuation', reason: 'no power' })
    await expect(on.olga.run.start({ id: run, reason: 'no power' })).rejects.toThrow(/type its name/)
    const asked = await on.olga.run.start({ id: run, reason: 'no power', attest: 'h1' })
    expect(asked.proposal).toEqual(expect.any(String))
    expect((await view()).approval).toMatchObject({ kind: 'evacuation', by: 'the_operator', permit: { ok: false } })
    expect(await on.read(run)).toMatchObject({ state: 'draft' })
    expect((await readHost(on.scenario.database, H1))!.status).toBe('down')
    expect((await on.olga.run.start({ id: run, reason: 'no power', attest: 'h1' })).proposal).toBe(asked.proposal)

    const yes = { id: asked.proposal!, approve: true, reason: 'I pulled the plug' }
    await expect(on.olga.proposal.decide(yes)).rejects.toThrow(/You requested it/)
    expect(await on.api.as('admin').proposal.decide(yes)).toEqual({ state: 'approved', refusal: null })
    const { rows } = await on.scenario.database.pool.query(
      "select who, reason, data from audit_entry where action = 'host.status' order by id desc limit 1",
    )
    expect(rows[0]).toMatchObject({
      who: 'the_operator',
      reason: expect.stringMatching(/^no power \(approved by .*: I pulled the plug\)$/),
      data: { status: 'fenced', proposedBy: 'the_operator' },
    })
    expect(await on.until(run, isOver)).toMatchObject({ state: 'done', done: 1 })
    expect((await view()).approval).toBeNull()
  })

  test('can be planned and requested by support, but needs approval to start', async () => {
    await setUp(1)
    await die('fenced')
    await on.api.settle()
    const support = on.api.as('support')
    expect(await support.run.evacuation({ host: H1 })).toMatchObject({ asks: true, permit: { ok: true } })
    const drain = { kind: 'drain', host: H2, fallback: 'cold', helpers: true, reason: 'x' } as const
    await expect(support.run.plan(drain)).rejects.toThrow(/this needs operator/)
    const { run } = await support.run.plan({ ...drain, kind: 'evacuation', host: H1, reason: 'no power' })
    const { proposal } = await support.run.start({ id: run, reason: 'no power' })
    expect(await on.read(run)).toMatchObject({ state: 'draft' })
    await on.olga.proposal.decide({ id: proposal!, approve: true, reason: 'agreed' })
    expect(await on.until(run, isOver)).toMatchObject({ state: 'done', done: 1 })
  })

  test('starts nothing more once the hypervisor answers, whatever the recorded status', async () => {
    await setUp(4, { limits: TWO_AT_ONCE })
    await die('fenced')
    const id = await on.started(H1, { kind: 'evacuation' })
    await on.round()
    await noteSurvey(on.scenario.database, [{ host: H1, at: on.scenario.now() + 1, guests: [] }])
    const run = await on.until(id, isOver)
    expect(run).toMatchObject({ state: 'stopped', note: 'h1 answered again', done: 2 })
    expect(run.migrations.filter(({ state }) => state === 'planned')).toHaveLength(2)
  })

  test('without capacity for all instances says which stay down, and why', async () => {
    await setUp(3, { hosts: 2 })
    for (let n = 0; n < 2; n++) await on.scenario.running({ flavor: pinned(1), host: H2 })
    await die('fenced')
    const { blockers } = await view()
    expect(blockers).toMatchObject([{ proof: 'exhaustive', smallestChange: expect.stringMatching(/away from h2$/) }])
    const id = await on.started(H1, { kind: 'evacuation' })
    expect(await on.until(id, isOver)).toMatchObject({ state: 'done', done: 2, left: 1 })
  })
})

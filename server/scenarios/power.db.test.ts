import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FindingRow } from '../api/finding/view'
import { ROLES } from '../api/permit/roles'
import { openTestApi, type TestApi } from '../api/testing/api'
import { resumeByRules } from '../conductor/host-return'
import { tableState } from '../drivers/simulated/table-state'
import type { Change } from '../engine/change'
import { POWER_ACTIONS, type PowerAction } from '../engine/power/request'
import { hostId, smallHost } from '../engine/testing/hosts'
import { ALIASES, IMAGE, pinned } from '../engine/testing/instances'
import type { InstanceId } from '../engine/words/ids'
import { putFlavors, putSetting } from '../store/catalog/policy'
import { commit } from '../store/commit/commit'
import { simulatorTable } from '../store/simulator/simulator'
import { onEachScenario } from './on-each-scenario'

// Power operations through the API, on real rows, conductors and the simulated fleet. The scenario's clock makes every
// deadline exact.

const [H1, H2] = [hostId(1), hostId(2)]
const SMALL = pinned(1, {}, { name: 'small' })
const DEBIAN = { ...IMAGE, name: 'debian' }
const BOOTED_MS = 30_000
const GRACE_MS = 60_000
const PATIENCE_MS = 180_000

const scenario = onEachScenario(
  { hosts: [smallHost({ n: 1, cores: 8 }), smallHost({ n: 2, cores: 8 })], observes: true },
  { mayEndWrong: true },
)
let api: TestApi
beforeEach(async () => {
  await putFlavors(scenario.database, [SMALL])
  await putSetting(scenario.database, 'images', [DEBIAN])
  const rules = { policy: 'spread', demand: { aliases: ALIASES }, confirmWindowMs: null } as const
  api = await openTestApi(scenario.database, { now: scenario.now, rules: async () => rules })
})
afterEach(() => api.close())

const rule = {
  get database() {
    return scenario.database
  },
  now: () => scenario.now(),
  commit: (change: Change) => commit(scenario.database, change),
}

const operator = () => api.as('operator')
const running = async () => scenario.running({ flavor: SMALL, image: DEBIAN, host: H1 })

/** Surveys all hosts twice, so that two observations agree, and waits until the API has read all writes. */
async function survey(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    scenario.advanceClock(1_000)
    await scenario.survey()
  }
  await api.settle()
}

async function powerCycle(): Promise<void> {
  await survey()
  await scenario.fleet.setFault(H1, { do: 'power-cycle' })
  await survey()
  await scenario.pass(BOOTED_MS)
  await survey()
}

const shown = async (id: string) => (await api.as('viewer').instance.byId({ id })).power
async function ask(id: string, action: PowerAction, more: { hard?: boolean; reason?: string } = {}) {
  const [result] = await operator().power.request({ ids: [id], action, ...more })
  await api.settle()
  if (result === undefined) throw new Error('no result')
  return result
}
async function findings(): Promise<readonly FindingRow[]> {
  await api.as('support').finding.audit()
  return (await api.as('viewer').finding.list({})).rows
}
const kinds = async () => (await findings()).map(({ kind }) => kind)
const audited = async (action: string) =>
  (await scenario.database.pool.query('select who, reason from audit_entry where action = $1 order by id', [action]))
    .rows
const until = async (id: string, state: string) => {
  await scenario.until(async () => (await scenario.instance(id as InstanceId)).vmState === state)
  await api.settle()
}

describe('a host power cycle', () => {
  test('shows its instances as shut down, each as a finding, and one request restarts all', async () => {
    const ids = [await running(), await running()]
    const elsewhere = await scenario.running({ flavor: SMALL, image: DEBIAN, host: H2 })
    await powerCycle()

    const { rows } = await api.as('viewer').instance.list({})
    expect(rows.map(({ id, power }) => [id, power?.state]).sort()).toEqual(
      [...ids.map((id) => [id, 'shutdown']), [elsewhere, 'running']].sort(),
    )
    expect(await kinds()).toEqual(['instance-shut-down', 'instance-shut-down'])

    const { instances, permit, byItself } = await api.as('viewer').power.returned({ host: H1 })
    expect(instances.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(byItself).toBe(false)
    expect(permit).toMatchObject({ ok: false, why: expect.stringContaining('operator') })

    const results = await operator().power.startReturned({ host: H1 })
    expect(results.map(({ refusal }) => refusal)).toEqual([null, null])
    await scenario.until(async () => (await scenario.instance(ids[0] as InstanceId)).powerRequest === null)
    await scenario.until(async () => (await scenario.instance(ids[1] as InstanceId)).powerRequest === null)
    await survey()
    for (const id of ids) expect(await shown(id)).toMatchObject({ state: 'running', differs: false, request: null })
    expect(await kinds()).toEqual([])
    expect((await operator().power.returned({ host: H1 })).instances).toEqual([])
    expect(await operator().power.startReturned({ host: H1 })).toEqual([])
    const why = { who: 'the_operator', reason: 'h1 is back: start instances that ran there before' }
    expect(await audited('instance.power-requested')).toEqual([why, why])
  })

  test('is repaired once per instance by the host rule, if an operator enabled it', async () => {
    const id = await running()
    await operator().power.setRule({ host: H1, on: true, reason: 'nobody is here at night' })
    await powerCycle()
    expect(await resumeByRules(rule)).toEqual([id])
    expect(await resumeByRules(rule)).toEqual([])
    await scenario.until(async () => (await scenario.instance(id)).powerRequest === null)
    expect(await shown(id)).toMatchObject({ state: 'running' })
    expect(await audited('host.rule')).toEqual([{ who: 'the_operator', reason: 'nobody is here at night' }])
    expect(await audited('instance.power-requested')).toMatchObject([{ who: 'host rule' }])
  })
})

describe('the host rule', () => {
  const failStart = (id: string) =>
    scenario.database.pool.query(
      `update instance set power_request = power_request || '{"failed": {"at": 0, "why": "no disk"}}',
         generation = generation + 1 where id = $1`,
      [id],
    )
  const requests = async () => (await audited('instance.power-requested')).length

  beforeEach(async () => {
    await running()
    await operator().power.setRule({ host: H1, on: true })
    await powerCycle()
  })

  test('requests no second start after a failed one, also when its server stopped right after the request', async () => {
    const stops = async (change: Change) => {
      await rule.commit(change)
      throw new Error('power cut')
    }
    await expect(resumeByRules({ ...rule, commit: stops })).rejects.toThrow('power cut')
    const [row] = (await scenario.database.pool.query('select id from instance')).rows
    await failStart(row.id)
    await survey()
    expect(await resumeByRules(rule)).toEqual([])
    expect(await requests()).toBe(1)
  })

  test('requests one start if two servers read before either requests', async () => {
    const late = async (change: Change) => {
      const [instance] = await resumeByRules(rule)
      await failStart(instance!)
      const { generation } = (
        await scenario.database.pool.query('select generation from instance where id = $1', [instance])
      ).rows[0]
      return rule.commit({
        ...change,
        guards: { ...change.guards, instance: { id: instance!, generation: Number(generation) } },
      })
    }
    expect(await resumeByRules({ ...rule, commit: late })).toEqual([])
    expect(await requests()).toBe(1)
  })
})

describe('a power request', () => {
  test('is refused to every role below operator, as are all other power procedures', async () => {
    const id = await running()
    const leftover = { host: H1, instance: randomUUID() }
    for (const role of ROLES.filter((each) => each !== 'operator' && each !== 'admin')) {
      const { power } = api.as(role)
      const calls = [
        ...POWER_ACTIONS.map((action) => power.request({ ids: [id], action })),
        power.startReturned({ host: H1 }),
        power.setRule({ host: H1, on: true }),
        power.removeLeftover({ ...leftover, reason: 'old' }),
        power.adopt({ ...leftover, name: 'a', project: 'p', flavor: 'small', image: 'debian' }),
      ]
      await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' })))
    }
    expect((await scenario.instance(id)).powerRequest).toBeFalsy()
    expect(await audited('instance.power-requested')).toEqual([])
  })

  test('records author and reason in the audit log, and is carried out in that name', async () => {
    const id = await running()
    await survey()
    expect(await ask(id, 'stop', { hard: true, reason: 'patching' })).toMatchObject({ refusal: null })
    await until(id, 'stopped')
    const who = { who: 'the_operator', reason: 'patching' }
    expect(await audited('instance.power-requested')).toEqual([who])
    expect(await audited('instance.stopped')).toEqual([who])
    expect(await shown(id)).toMatchObject({ state: 'shutdown', differs: false })
    expect(await kinds()).toEqual([])
  })

  test.each([
    ['start', 'running', /start|running/i],
    ['resume', 'running', /paused/],
    ['start', 'paused', /shut down/],
    ['pause', 'stopped', /active/],
    ['reboot', 'stopped', /active/],
    ['stop', 'stopped', /running/],
    ['resume', 'stopped', /active or paused/],
  ] as const)('%s is refused for an instance that is %s, with the state it needs', async (action, state, says) => {
    const id = await running()
    await survey()
    if (state === 'paused') await ask(id, 'pause')
    if (state === 'stopped') await ask(id, 'stop', { hard: true })
    if (state !== 'running') await until(id, state)
    await survey()
    const { acceptedAt, refusal } = await ask(id, action)
    expect(acceptedAt).toBeNull()
    expect(`${refusal?.need} ${refusal?.have}`).toMatch(says)
    const { permitted } = await operator().instance.byId({ id })
    expect(permitted[action]).toMatchObject({ ok: false, why: expect.stringMatching(/\.$/) })
    expect((await scenario.instance(id)).powerRequest).toBeFalsy()
  })

  test('is refused during a migration, which the refusal names', async () => {
    const id = await running()
    await survey()
    const migration = await scenario.operators.migrate(id, { operation: 'cold-migrate' })
    await api.settle()
    const { refusal } = await ask(id, 'stop')
    expect(refusal).toMatchObject({ kind: 'already-moving' })
    expect(JSON.stringify(refusal)).not.toContain(migration)
    const { permitted } = await operator().instance.byId({ id })
    expect(JSON.stringify(permitted)).not.toContain(migration)
    await scenario.untilStep(migration as never, 'verify')
  })

  test('has a result for each of several instances: accepted, refused, unknown', async () => {
    const [one, other, nobody] = [await running(), await running(), randomUUID()]
    await survey()
    await ask(other, 'stop', { hard: true })
    await until(other, 'stopped')
    const results = await operator().power.request({ ids: [one, other, nobody], action: 'stop', hard: true })
    expect(results.map(({ instance, refusal }) => [instance.id, refusal?.kind ?? null])).toEqual([
      [one, null],
      [other, 'wrong-state'],
      [nobody, 'unknown'],
    ])
    await until(one, 'stopped')
  })

  test('stops an instance that ignores it once its grace period is over, and not before', async () => {
    const id = await running()
    await scenario.fleet.setGuestFault(id, 'ignore-button')
    await survey()
    await ask(id, 'stop')
    await scenario.pass(GRACE_MS - 1_000)
    expect((await scenario.instance(id)).vmState).toBe('active')
    await scenario.pass(2_000)
    expect((await scenario.instance(id)).vmState).toBe('stopped')
  })

  test('is carried out, or fails, as late after the clock was set back an hour as without', async () => {
    const [ignoring, silent] = [await running(), await scenario.running({ flavor: SMALL, image: DEBIAN, host: H2 })]
    await scenario.fleet.setGuestFault(ignoring, 'ignore-button')
    await scenario.fleet.setFault(H2, { do: 'go-silent' })
    await ask(ignoring, 'stop')
    await ask(silent, 'reboot')
    await scenario.pass(-3_600_000)
    await scenario.pass(GRACE_MS - 5_000)
    expect((await scenario.instance(ignoring)).vmState).toBe('active')
    await scenario.pass(10_000)
    expect((await scenario.instance(ignoring)).vmState).toBe('stopped')
    expect((await scenario.instance(silent)).powerRequest?.failed).toBeUndefined()
    await scenario.pass(PATIENCE_MS - GRACE_MS)
    expect((await scenario.instance(silent)).powerRequest?.failed?.why).toMatch(/did not answer/)
  })

  test('to a silent host fails at its deadline with a reason, and blocks nothing', async () => {
    const id = await running()
    await survey()
    await scenario.fleet.setFault(H1, { do: 'go-silent' })
    await ask(id, 'reboot')
    await scenario.pass(PATIENCE_MS - 10_000)
    expect((await scenario.instance(id)).powerRequest).toMatchObject({ action: 'reboot' })
    await expect(ask(id, 'pause')).resolves.toMatchObject({ refusal: { kind: 'wrong-state' } })
    await scenario.pass(20_000)
    await api.settle()
    const power = await shown(id)
    expect(power?.request?.failed?.why).toMatch(/did not answer/)
    expect(power?.request?.failed?.why).not.toContain(H1)
    await scenario.fleet.setFault(H1, { do: 'return' })
    expect(await ask(id, 'pause')).toMatchObject({ refusal: null })
    await until(id, 'paused')
  })
})

describe('a domain on a host where no record places it', () => {
  const instanceOn = async (host: typeof H1, instance: InstanceId, isRunning: boolean) => {
    const body = (await scenario.heldFor(await running()))[0]?.body
    if (body === undefined) throw new Error('nothing is claimed')
    const order = { instance, name: 'stray', host, flavor: SMALL, image: DEBIAN, claim: body, running: isRunning }
    await scenario.fleet.adopt([order])
  }

  /** A shut-down copy of an instance that is on another host, as a manual migration leaves it. */
  const copyTo = async (host: typeof H1, instance: InstanceId) => {
    const state = tableState(simulatorTable(scenario.database))
    const { record } = (await state.readScene(instance, [])).instance
    const copies = record.copies.flatMap((copy) => [copy, { ...copy, host, is: 'stopped' as const }])
    await state.adopt([{ ...record, copies }])
  }

  test('can be adopted with its claim but not removed, because it may be the only copy', async () => {
    const instance = randomUUID() as InstanceId
    await instanceOn(H2, instance, true)
    await survey()
    const place = { host: H2, instance }
    expect(await operator().power.leftover(place)).toMatchObject({
      ...{ known: null, adopt: { ok: true } },
      remove: { ok: false, why: expect.stringContaining('only copy') },
    })
    await expect(operator().power.removeLeftover({ ...place, reason: 'old' })).rejects.toThrow('only copy')
    await operator().power.adopt({ ...place, name: 'stray', project: 'p', flavor: 'small', image: 'debian' })
    await survey()
    expect(await api.as('viewer').instance.byId({ id: instance })).toMatchObject({
      ...{ name: 'stray', host: { id: H2 }, vmState: 'active', held: { vcpus: 1 } },
    })
    expect(await kinds()).toEqual([])
  })

  test('can be removed when its instance is seen running on its own host', async () => {
    const id = await running()
    await copyTo(H2, id)
    await survey()
    expect(await kinds()).toEqual(['domain-leftover'])
    const place = { host: H2, instance: id }
    expect(await operator().power.leftover(place)).toMatchObject({ remove: { ok: true }, adopt: { ok: false } })
    await operator().power.removeLeftover({ ...place, reason: 'left by hand' })
    await scenario.pass(10_000)
    await survey()
    expect((await scenario.fleet.everyCopy()).filter(({ instance }) => instance === id)).toHaveLength(1)
    expect(await kinds()).toEqual([])
    expect(await audited('host.removal-requested')).toEqual([{ who: 'the_operator', reason: 'left by hand' }])
  })
})

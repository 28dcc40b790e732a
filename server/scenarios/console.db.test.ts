import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VerdictSummary } from '../api/explain/verdicts'
import { type Api, openTestApi, type TestApi } from '../api/testing/api'
import { hostId, smallHost } from '../engine/testing/hosts'
import { ALIASES, pinned } from '../engine/testing/instances'
import { putFlavors, putSetting } from '../store/catalog/policy'
import { onEachScenario } from './on-each-scenario'
import type { Scenario } from './scenario'

// What an operator does at the console, through the API alone, while a conductor runs migrations on a simulated fleet.

const H1 = hostId(1)
const H2 = hostId(2)
const H3 = hostId(3)
const SMALL = pinned(2, { 'pci_passthrough:alias': 'vf:1' }, { name: 'small' })
const LARGE = pinned(4, { 'pci_passthrough:alias': 'vf:2' }, { name: 'large' })
const GIANT = pinned(64, {}, { name: 'giant' })
const VFS = { vfs: 2, vfTags: { live_migratable: 'true' } }

const scenario = onEachScenario({
  hosts: [
    smallHost({ n: 1, ...VFS, frame: { zone: 'a' } }),
    smallHost({ n: 2, ...VFS, frame: { zone: 'b' } }),
    smallHost({ n: 3, vfs: 0, frame: { zone: 'b' } }),
  ],
})
let api: TestApi
let olga: Api
beforeEach(async () => {
  await putFlavors(scenario.database, [SMALL, LARGE, GIANT])
  await putSetting(scenario.database, 'images', [{ name: 'debian', properties: {} }])
  api = await openTestApi(scenario.database, {
    now: scenario.now,
    rules: async () => ({ policy: 'spread', demand: { aliases: ALIASES }, confirmWindowMs: null }),
  })
  olga = api.as('operator')
})
afterEach(() => api.close())

async function build(name = 'web-1', host: string = H1): Promise<string> {
  const { instance } = await olga.instance.build({ name, project: 'shop', flavor: 'small', image: 'debian', host })
  await scenario.until(async () => (await scenario.instance(instance as never)).vmState === 'active')
  await api.settle()
  return instance
}

async function step(migration: string, name: Parameters<Scenario['untilStep']>[1]): Promise<void> {
  await scenario.untilStep(migration as never, name)
  await api.settle()
}

const live = (instance: string, host: string = H2) => olga.migrate.start({ instance, operation: 'live-migrate', host })

describe('an instance', () => {
  test('is built where it fits, with its pins and its device', async () => {
    const id = await build()
    const row = await olga.instance.byId({ id })
    expect(row).toMatchObject({ name: 'web-1', vmState: 'active', host: { id: H1, name: 'h1' }, zone: 'a' })
    expect(row.held).toMatchObject({ vcpus: 2, pinnedCpus: 2, devices: 1 })
    expect(row.claims).toMatchObject([{ mark: 'held', holder: { kind: 'instance', name: 'web-1' } }])
    expect(row.permitted['live-migrate']).toEqual({ ok: true })
    expect(row.permitted.unshelve).toMatchObject({ ok: false, why: expect.stringContaining('shelved') })
    expect((await api.as('viewer').instance.byId({ id })).permitted.delete).toEqual({
      ok: false,
      why: 'Your role is viewer; this needs operator.',
    })
  })

  test('that fits nowhere is refused with the reasons, and nothing is created', async () => {
    const building = olga.instance.build({ name: 'big', project: 'p', flavor: 'giant', image: 'debian' })
    const refused = { code: 'CONFLICT', message: expect.stringMatching(/No valid host was found/) }
    await expect(building).rejects.toMatchObject(refused)
    expect((await olga.instance.list()).total).toBe(0)
  })

  test('is listed by name, state, host and zone, sorted and in pages', async () => {
    for (const name of ['web-1', 'web-2', 'db-1']) await build(name, name === 'db-1' ? H2 : H1)
    const names = async (input: Parameters<Api['instance']['list']>[0]) =>
      (await olga.instance.list(input)).rows.map((row) => row.name)
    expect(await names({})).toEqual(['db-1', 'web-1', 'web-2'])
    expect(await names({ sort: 'name', dir: 'desc' })).toEqual(['web-2', 'web-1', 'db-1'])
    expect(await names({ q: 'WEB' })).toEqual(['web-1', 'web-2'])
    expect(await names({ q: '%' })).toEqual([])
    expect(await names({ host: H2 })).toEqual(['db-1'])
    expect(await names({ zone: ['a'] })).toEqual(['web-1', 'web-2'])
    expect(await names({ moving: true })).toEqual([])
    expect(await names({ offset: 1, limit: 1 })).toEqual(['web-1'])
    expect((await olga.instance.list({ limit: 1 })).total).toBe(3)
  })

  test('disappears at once when deleted, and its claim soon after', async () => {
    const id = await build()
    await olga.instance.delete({ id, reason: 'not needed' })
    await expect(olga.instance.delete({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await scenario.until(async () => (await olga.instance.list()).total === 0)
    await expect(olga.instance.byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('explain', () => {
  test('has a verdict for every host, with the reasons against it', async () => {
    const id = await build()
    const { hosts, counts, permit, demand } = await api
      .as('support')
      .migrate.explain({ for: 'migrate', instance: id, operation: 'live-migrate' })
    expect(permit).toEqual({ ok: true })
    expect(demand).toMatchObject({ vcpus: 2, pinnedCpus: 2, devices: 1 })
    expect(counts).toEqual({ ok: 1, warning: 0, refused: 2 })
    const by = new Map(hosts.map((host) => [host.host.id, host]))
    expect(by.get(H2)).toMatchObject({ verdict: 'ok', rank: 1, reasons: [] })
    expect(kinds(by.get(H1))).toContain('host-is-source')
    expect(by.get(H3)).toMatchObject({
      verdict: 'refused',
      reasons: [{ kind: 'devices', unit: 'devices', shortBy: 1, times: 1 }],
    })
  })

  test('shows the claim that would be made: old and new, item by item', async () => {
    const id = await build()
    const ask = { for: 'migrate', instance: id, operation: 'live-migrate', host: H2 } as const
    const { verdict, mapping } = await olga.migrate.plan(ask)
    expect(verdict.verdict).toBe('ok')
    expect(mapping!.cpus.map(({ key }) => key)).toEqual(['0', '1'])
    expect(mapping!.cpus.every((cpu) => cpu.old !== null && cpu.new !== null)).toBe(true)
    expect(mapping!.devices).toHaveLength(1)
    expect(mapping!.devices[0]).toMatchObject({ old: { label: expect.stringMatching(/^VF/) } })
    expect((await olga.migrate.plan({ ...ask, host: H3 })).mapping).toBeNull()
  })

  test('names the holders of what is short', async () => {
    for (let n = 0; n < 4; n++) await build(`full-${n}`, H2)
    const id = await build()
    const view = {
      code: 'device.devices',
      where: 'h2',
      notChanged: 'No migration was started; nothing was claimed.',
      refusals: [{ kind: 'devices', free: 0, heldBy: [{ kind: 'instance' }, {}, {}, {}] }],
    }
    await expect(live(id)).rejects.toMatchObject({ code: 'CONFLICT', cause: { view } })
    expect((await olga.migration.list({ view: 'all' })).total).toBe(0)
  })

  test('works for a shape without an instance', async () => {
    const { counts } = await olga.migrate.explain({ for: 'build', flavor: 'large', image: 'debian', zone: 'b' })
    expect(counts).toEqual({ ok: 1, warning: 0, refused: 2 })
  })
})

const kinds = (verdict: VerdictSummary | undefined) => verdict?.reasons.map(({ kind }) => kind)

describe('a live migration', () => {
  test('is accepted at once, visible on both hosts, and completes', async () => {
    const id = await build()
    const { migration } = await live(id)
    await expect(live(id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Another migration'),
    })
    await step(migration, 'transfer')

    const [row] = (await olga.migration.list({ view: 'flight' })).rows
    expect(row).toMatchObject({
      instance: { name: 'web-1' },
      step: 'transfer',
      source: { name: 'h1' },
      target: { name: 'h2' },
    })
    expect(row!.heldTwice).toMatchObject({ vcpus: 2, devices: 1 })
    expect(row!.permitted.abort).toEqual({ ok: true })
    expect(row!.permitted.confirm).toMatchObject({ ok: false })

    const marks = async (host: string) =>
      (await olga.host.map({ id: host })).holders.map(({ mark, holder }) => [mark, holder.kind])
    expect(await marks(H1)).toEqual([['outgoing', 'migration']])
    expect(await marks(H2)).toEqual([['incoming', 'instance']])
    expect(await olga.host.byId({ id: H1 })).toMatchObject({ movesOut: 1, movesIn: 0 })

    await scenario.untilEnded(migration as never)
    await api.settle()
    const detail = await olga.migration.byId({ id: migration })
    expect(detail).toMatchObject({ outcome: 'completed', startedBy: 'the_operator', sourceClaim: null })
    expect(detail.steps.map((each) => each.step)).toEqual(['claim', 'prepare', 'transfer', 'switch', 'release'])
    expect(detail.mapping!.devices[0]!.old!.unit).toBeTruthy()
    expect(detail.targetClaim).toMatchObject({ host: { id: H2 }, mark: 'held' })
    expect(detail.spans.map(({ side, holder, to }) => [side, holder, to !== null])).toEqual([
      ['target', 'instance', true],
      ['source', 'migration', true],
    ])
    expect(detail.progressHistory.length).toBeGreaterThan(0)
  })

  test('records request, acceptance and effect of an abort with time and author', async () => {
    const id = await build()
    const { migration } = await live(id)
    await step(migration, 'transfer')
    const consequences = await api.as('support').migration.consequences({ ids: [migration], requestedAction: 'abort' })
    expect(consequences).toMatchObject({
      permitted: [],
      refused: [{ why: 'Your role is support; this needs operator.' }],
    })
    expect(await olga.migration.consequences({ ids: [migration], requestedAction: 'abort' })).toMatchObject({
      permitted: [{ name: 'web-1' }],
      frees: [{ host: { name: 'h2' }, held: { vcpus: 2 } }],
      keeps: [{ host: { name: 'h1' } }],
      noWayBack: false,
    })
    const [result] = await olga.migration.requestAction({
      ids: [migration],
      requestedAction: 'abort',
      reason: 'wrong host',
    })
    expect(result).toMatchObject({ refusal: null, acceptedAt: scenario.now() })
    expect((await olga.migration.byId({ id: migration })).requestedAction).toMatchObject({
      effectiveAt: null,
      refused: null,
    })
    await scenario.untilEnded(migration as never)
    await api.settle()
    const { requestedActions, outcome } = await olga.migration.byId({ id: migration })
    expect(outcome).toBe('aborted')
    expect(requestedActions).toMatchObject([
      { requestedAction: 'abort', by: 'the_operator', reason: 'wrong host', refused: null },
    ])
    expect(requestedActions[0]!.effectiveAt).toBeGreaterThanOrEqual(requestedActions[0]!.acceptedAt!)
    const [late] = await olga.migration.requestAction({ ids: [migration], requestedAction: 'abort' })
    expect(late).toMatchObject({
      acceptedAt: null,
      refusal: { kind: 'not-permitted', have: 'the migration has ended' },
    })
  })
})

describe('resizes awaiting confirm or revert', () => {
  test('can be reverted in bulk, with a result for each', async () => {
    const ids = [await build('web-1'), await build('web-2', H2)]
    const migrations: string[] = []
    for (const instance of ids) {
      const { migration } = await olga.migrate.start({ instance, operation: 'resize', flavor: 'large' })
      migrations.push(migration)
      await step(migration, 'verify')
    }
    expect((await olga.migration.list({ view: 'waiting' })).rows.map((row) => row.waiting?.for)).toEqual([
      'person',
      'person',
    ])
    // Filtered: hosts are not surveyed here and no periodic task runs, which the overview reports as well.
    const attention = (await olga.overview.get()).attention.filter(({ kind }) => kind.startsWith('waits-for'))
    expect(attention.map(({ kind }) => kind)).toEqual(['waits-for-person', 'waits-for-person'])
    const lost = '00000000-0000-4000-8000-000000000000'
    const results = await olga.migration.requestAction({ ids: [...migrations, lost], requestedAction: 'revert' })
    expect(results.map(({ refusal }) => refusal?.kind ?? null)).toEqual([null, null, 'unknown'])
    for (const migration of migrations) await scenario.untilEnded(migration as never)
    await api.settle()
    for (const id of ids) {
      const { flavor, held } = await olga.instance.byId({ id })
      expect({ flavor: flavor.name, devices: held.devices }).toEqual({ flavor: 'small', devices: 1 })
    }
  })

  test('have two claims on one host, and each choice shows what it frees', async () => {
    await olga.host.setScheduling({ id: H2, scheduling: 'disabled', reason: 'cabling' })
    await api.settle()
    const id = await build()
    const { migration } = await olga.migrate.start({ instance: id, operation: 'resize', flavor: 'large' })
    await step(migration, 'verify')
    const detail = await olga.migration.byId({ id: migration })
    expect([detail.sourceClaim!.host.id, detail.targetClaim!.host.id]).toEqual([H1, H1])
    expect(detail.mapping!.amounts.find(({ key }) => key === 'PCPU')).toMatchObject({ old: 2, new: 4 })
    const of = (requestedAction: 'confirm' | 'revert') =>
      olga.migration.consequences({ ids: [migration], requestedAction })
    expect(await of('confirm')).toMatchObject({
      frees: [{ held: { pinnedCpus: 2 } }],
      keeps: [{ held: { pinnedCpus: 4 } }],
    })
    expect(await of('revert')).toMatchObject({ frees: [{ held: { pinnedCpus: 4 } }], stopsGuests: 1 })
    const { holders } = await olga.host.map({ id: H1 })
    expect(holders.map(({ mark }) => mark).sort()).toEqual(['incoming', 'outgoing'])
    await olga.migration.requestAction({ ids: [migration], requestedAction: 'confirm' })
    await scenario.untilEnded(migration as never)
  })
})

describe('a host', () => {
  test('can be marked as fenced with a reason, after its consequences were shown', async () => {
    const id = await build()
    await expect(olga.host.setStatus({ id: H1, status: 'down' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await olga.host.consequences({ id: H1, action: 'fenced' })).toMatchObject({
      permit: { ok: true },
      instances: 1,
      needsTypedName: true,
      needsReason: true,
    })
    await olga.host.setStatus({ id: H1, status: 'fenced', reason: 'pulled the plug' })
    const again = olga.host.setStatus({ id: H1, status: 'fenced', reason: 'again' })
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
    await api.settle()
    expect(await olga.host.byId({ id: H1 })).toMatchObject({ status: 'fenced', reason: 'pulled the plug' })
    expect((await olga.instance.byId({ id })).permitted.evacuate).toEqual({ ok: true })
    const [event] = await olga.event.list({ host: H1, limit: 1 })
    expect(event).toMatchObject({
      kind: 'host.status',
      who: 'the_operator',
      reason: 'pulled the plug',
      hosts: [{ name: 'h1' }],
    })
    expect(event!.request).toBeTruthy()
  })

  test('is listed by its properties and its usage', async () => {
    await build()
    const names = async (input: Parameters<Api['host']['list']>[0]) =>
      (await olga.host.list(input)).rows.map((row) => row.name)
    expect(await names({})).toEqual(['h1', 'h2', 'h3'])
    expect(await names({ sort: 'pcpu', dir: 'desc', limit: 1 })).toEqual(['h1'])
    expect(await names({ zone: ['b'], sort: 'name', dir: 'desc' })).toEqual(['h3', 'h2'])
    expect(await names({ q: 'H2' })).toEqual(['h2'])
    expect(await names({ status: ['down'] })).toEqual([])
    expect(await olga.host.zones()).toEqual(['a', 'b'])
    const [claim] = await olga.host.claims({ id: H1 })
    expect(claim).toMatchObject({ instance: { name: 'web-1' }, mark: 'held', held: { pinnedCpus: 2 } })
    expect(claim!.since).toBeLessThanOrEqual(scenario.now())
  })

  test('can be made to fail on purpose', async () => {
    await olga.simulator.fault({ do: 'go-silent', host: H1 })
    expect(api.faults).toEqual([{ do: 'go-silent', host: H1 }])
  })
})

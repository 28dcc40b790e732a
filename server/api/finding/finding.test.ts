import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { HostStatus } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { putSetting } from '../../store/catalog/policy'
import { noteSurvey } from '../../store/survey/survey'
import { build, newMigrationId, putHost } from '../../store/testing/records'
import { METRICS_TOKEN, openTestApi } from '../testing/api'

// Findings, repairs and second approvals, as the console requests them. Faults are written directly into the tables.

const api = onFreshDatabase(openTestApi)
let host: HostId
let web: InstanceId
let n = 0
beforeEach(async () => {
  host = (await putHost(api.database, smallHost({ n: ++n }))).id
  web = await build(api.database, host, { name: `web-${n}` })
  await sql(`update instance set vm_state = 'active' where id = $1`, [web])
  await putSetting(api.database, 'second-person', [])
  const domains = [{ instance: web, migration: null, observedState: 'running', claim: null }] as const
  for (const ago of [120_000, 60_000]) await noteSurvey(api.database, [{ host, at: Date.now() - ago, guests: domains }])
  await api.settle()
  await api.as('support').finding.audit()
})

const sql = (text: string, values: readonly unknown[] = []) => api.database.pool.query(text, [...values])

/** The consumer of a migration that never existed holds an allocation on the host. */
async function strayAllocation(on = host): Promise<string> {
  const id = newMigrationId()
  await sql(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [id])
  await sql(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 512)`,
    [id, on],
  )
  return id
}

/** Allocates more to the instance than it requested. */
const inflate = () =>
  sql(`update allocation set amount = amount + 64 where consumer_id = $1 and resource_class = 'MEMORY_MB'`, [web])
const amounts = async () =>
  (await sql(`select amount::int from allocation where consumer_id = $1 and resource_class = 'MEMORY_MB'`, [web])).rows

async function found(kind?: string) {
  await api.as('support').finding.audit()
  const { rows } = await api.as('viewer').finding.list({ host })
  return kind === undefined ? rows : rows.filter((row) => row.kind === kind)
}

describe('findings', () => {
  test('are absent for correct records', async () => {
    expect(await found()).toEqual([])
    expect(await api.as('viewer').finding.status()).toMatchObject({ at: expect.any(Number), byKind: [] })
  })

  test('of an orphaned allocation have evidence, stay one finding while it lasts, and close when it is gone', async () => {
    const consumer = await strayAllocation()
    const [row, ...rest] = await found()
    expect(rest).toEqual([])
    expect(row).toMatchObject({ kind: 'stray-allocation', severity: 'warning', confidence: 'sure', host: { id: host } })
    const again = (await found())[0]
    expect(again).toMatchObject({ id: row!.id, firstSeenAt: row!.firstSeenAt })
    expect(again!.lastSeenAt).toBeGreaterThanOrEqual(row!.lastSeenAt)
    const detail = await api.as('viewer').finding.byId({ id: row!.id })
    expect(detail).toMatchObject({ runbook: 'stray-allocation', plans: [] })
    await sql('delete from allocation where consumer_id = $1', [consumer])
    await sql('delete from consumer where id = $1', [consumer])
    expect(await found()).toEqual([])
    const closed = await api.as('viewer').finding.list({ host, closed: true })
    expect(closed.rows).toMatchObject([{ id: row!.id, closedAt: expect.any(Number), heal: { ok: false } }])
  })

  test('cause one event for each audit that opened or closed any', async () => {
    await strayAllocation()
    await strayAllocation()
    await found()
    await api.settle()
    const events = await api.as('support').event.list({ host, limit: 1 })
    expect(events).toMatchObject([{ kind: 'finding.opened', data: { count: 2 }, who: 'audit' }])
    await sql(
      `delete from allocation where resource_class = 'MEMORY_MB' and consumer_id in (select id from consumer where type = 'MIGRATION')`,
    )
    await sql(`delete from consumer where type = 'MIGRATION'`)
  })

  test('of one kind are one attention item and one metric', async () => {
    await strayAllocation()
    await found()
    const { attention } = await api.as('viewer').overview.get()
    const [item] = attention.filter(({ kind }) => kind === 'finding')
    expect(item).toMatchObject({ finding: 'stray-allocation', why: 'An allocation has no claim behind it' })
    const headers = { host: 'berth.test', authorization: `Bearer ${METRICS_TOKEN}` }
    const text = await (await api.endpoints.metrics(new Request('http://berth.test/metrics', { headers }))).text()
    expect(text).toMatch(/berth_findings\{kind="stray-allocation",severity="warning"\} [1-9]/)
    expect(text).toMatch(/berth_audit_age_seconds \d/)
  })

  test('can be updated at once for one host', async () => {
    await api.as('support').finding.audit({ host })
    expect(api.surveyed.at(-1)).toBe(host)
  })

  test('show the hypervisor beside records and allocations', async () => {
    const domain = { instance: web, migration: null, observedState: 'running', claim: null } as const
    await noteSurvey(api.database, [{ host, at: Date.now(), guests: [domain] }])
    const [row] = await api.as('viewer').finding.drift({ host })
    expect(row).toMatchObject({
      instance: { id: web },
      records: expect.stringMatching(/^active on /),
      allocations: expect.stringMatching(/CPUs, \d+ [GM]iB on /),
      hypervisor: expect.stringMatching(/^running on /),
      agreement: 'agree',
    })
    await noteSurvey(api.database, [{ host, at: Date.now() + 1, guests: null }])
    const [silent] = await api.as('viewer').finding.drift({ instance: web })
    expect(silent).toMatchObject({ hypervisor: expect.stringMatching(/when it last answered$/), agreement: 'unknown' })
    const status = await api.as('viewer').finding.status()
    expect(status.silent).toMatchObject([{ id: host }])
    expect(status.neverAnswered.map(({ id }) => id)).not.toContain(host)
  })

  test('do not call a host silent that is confirmed powered off', async () => {
    await noteSurvey(api.database, [{ host, at: Date.now() + 1, guests: null }])
    const isSilent = async (status: HostStatus) => {
      await api.as('operator').host.setStatus({ id: host, status, reason: 'power supply failed' })
      await api.settle()
      return (await api.as('viewer').finding.status()).silent.some(({ id }) => id === host)
    }
    expect(await isSilent('down')).toBe(true)
    expect(await isSilent('fenced')).toBe(false)
  })
})

describe('a repair', () => {
  async function planned(kind: string) {
    const rows = await found(kind)
    expect(rows).not.toEqual([])
    const { plan } = await api.as('support').heal.plan({ findings: rows.map(({ id }) => id) })
    return { plan, rows, detail: await api.as('support').heal.byId({ id: plan }) }
  }
  const all = ({ part }: { part: readonly { n: number }[] }) => part.map((each) => each.n)

  test('is shown line by line, applied and verified; undo brings the finding back', async () => {
    const before = await amounts()
    await inflate()
    const { plan, detail } = await planned('amount-wrong')
    expect(detail).toMatchObject({ state: 'draft', permitted: { apply: { ok: true }, undo: { ok: false } } })
    const lines = detail.part.flatMap((part) => part.lines)
    expect(lines).toContainEqual(expect.objectContaining({ sign: '~', row: 'allocation', changed: false }))
    const operator = api.as('operator')
    const done = await operator.heal.applyParts({ id: plan, parts: all(detail), reason: 'a wrong amount' })
    expect(done).toEqual({
      state: 'applied',
      applied: detail.part.length,
      replacedBy: null,
      whyNotReplaced: null,
      found: [],
      proposal: null,
    })
    expect(await amounts()).toEqual(before)
    expect(await found()).toEqual([])
    expect(await operator.heal.byId({ id: plan })).toMatchObject({
      ...{ state: 'applied', reason: 'a wrong amount', verified: { left: 0, found: [] }, foreseen: [] },
    })

    const undo = await operator.heal.undo({ id: plan })
    expect(await operator.heal.undo({ id: plan }), 'asked twice it is the same plan').toEqual(undo)
    expect(await amounts(), 'an undo is a plan to review first').toEqual(before)
    const back = await operator.heal.byId({ id: undo.plan })
    expect(await operator.heal.applyParts({ id: undo.plan, parts: all(back), reason: 'it was right' })).toMatchObject({
      state: 'applied',
    })
    expect((await found('amount-wrong')).length).toBeGreaterThan(0)
    expect(await operator.heal.byId({ id: plan })).toMatchObject({ state: 'undone', undoneBy: undo.plan })
    await sql(`update allocation set amount = amount - 64 where consumer_id = $1 and resource_class = 'MEMORY_MB'`, [
      web,
    ])
  })

  test('applied twice writes once', async () => {
    await strayAllocation()
    const { plan, detail } = await planned('stray-allocation')
    const operator = api.as('operator')
    const action = { id: plan, parts: all(detail), reason: 'a leak' }
    expect((await operator.heal.applyParts(action)).applied).toBe(1)
    expect(await operator.heal.applyParts(action)).toMatchObject({ applied: 0, state: 'applied', replacedBy: null })
  })

  test('applied by two users at once is applied by one of them', async () => {
    await strayAllocation()
    const { plan, detail } = await planned('stray-allocation')
    const action = { id: plan, parts: all(detail), reason: 'a leak' }
    const answers = await Promise.all([
      api.as('operator').heal.applyParts(action),
      api.as('admin').heal.applyParts(action),
    ])
    expect(answers.map(({ applied }) => applied).sort()).toEqual([0, 1])
  })

  test('writes nothing when its rows have changed, and a new diff marks the changes', async () => {
    await inflate()
    const { plan, detail } = await planned('amount-wrong')
    await inflate()
    const grown = await amounts()
    const operator = api.as('operator')
    const done = await operator.heal.applyParts({ id: plan, parts: all(detail), reason: 'a wrong amount' })
    expect(done).toMatchObject({ state: 'changed', applied: 0, replacedBy: expect.any(String) })
    expect(await amounts()).toEqual(grown)
    const old = await operator.heal.byId({ id: plan })
    expect(old).toMatchObject({ state: 'changed', replacedBy: done.replacedBy, permitted: { apply: { ok: false } } })
    expect(old.part[0]?.conflict).toMatch(/Nothing of this part was written/)
    const anew = await operator.heal.byId({ id: done.replacedBy! })
    expect(anew.part.flatMap(({ lines }) => lines).filter(({ changed }) => changed)).not.toEqual([])
    expect(await operator.heal.applyParts({ id: anew.id, parts: all(anew), reason: 'once more' })).toMatchObject({
      applied: 1,
    })
    expect(await found()).toEqual([])
  })

  test('applies despite raised generations when it would still write what was shown', async () => {
    await inflate()
    const { plan, detail } = await planned('amount-wrong')
    await sql(
      `update resource_provider set generation = generation + 1
       where id in (select provider_id from allocation where consumer_id = $1)`,
      [web],
    )
    const operator = api.as('operator')
    const done = await operator.heal.applyParts({ id: plan, parts: all(detail), reason: 'a wrong amount' })
    expect(done).toMatchObject({ state: 'applied', applied: 1, replacedBy: null, whyNotReplaced: null })
    expect(await found()).toEqual([])
    const old = await operator.heal.byId({ id: plan })
    expect(old).toMatchObject({ state: 'changed', replacedBy: expect.any(String) })
    expect(await operator.heal.byId({ id: old.replacedBy! })).toMatchObject({
      state: 'applied',
      permitted: { undo: { ok: true } },
    })
  })

  test('undone after another write needs a new diff with the changed lines marked', async () => {
    const before = await amounts()
    await inflate()
    const { plan, detail } = await planned('amount-wrong')
    const operator = api.as('operator')
    await operator.heal.applyParts({ id: plan, parts: all(detail), reason: 'a wrong amount' })
    const undo = await operator.heal.undo({ id: plan })
    const asShown = await operator.heal.byId({ id: undo.plan })
    expect(asShown.part.flatMap(({ lines }) => lines).filter(({ changed }) => changed)).toEqual([])
    await inflate()
    await inflate()
    const done = await operator.heal.applyParts({ id: undo.plan, parts: all(asShown), reason: 'it was right' })
    expect(done).toMatchObject({ state: 'changed', applied: 0, replacedBy: expect.any(String), whyNotReplaced: null })
    const anew = await operator.heal.byId({ id: done.replacedBy! })
    expect(anew).toMatchObject({ state: 'draft', undoOf: plan })
    expect(anew.part.flatMap(({ lines }) => lines).filter(({ changed }) => changed)).not.toEqual([])
    expect(await operator.heal.undo({ id: plan }), 'the diff to review is the new one').toEqual({ plan: anew.id })
    expect(await operator.heal.applyParts({ id: anew.id, parts: all(anew), reason: 'once more' })).toMatchObject({
      applied: 1,
    })
    expect(await operator.heal.byId({ id: plan })).toMatchObject({ state: 'undone' })
    expect(await amounts(), 'as before the heal').not.toEqual(before)
    await sql(`update allocation set amount = amount - 64 where consumer_id = $1 and resource_class = 'MEMORY_MB'`, [
      web,
    ])
    expect(await amounts()).toEqual(before)
  })

  test('undone by hand already has nothing left to undo, and says so', async () => {
    await inflate()
    const { plan, detail } = await planned('amount-wrong')
    const operator = api.as('operator')
    await operator.heal.applyParts({ id: plan, parts: all(detail), reason: 'a wrong amount' })
    const undo = await operator.heal.undo({ id: plan })
    await inflate()
    const done = await operator.heal.applyParts({ id: undo.plan, parts: [1], reason: 'it was right' })
    expect(done).toMatchObject({ state: 'changed', replacedBy: null, whyNotReplaced: expect.stringMatching(/already/) })
    await sql(`update allocation set amount = amount - 64 where consumer_id = $1 and resource_class = 'MEMORY_MB'`, [
      web,
    ])
  })

  test('records author, reason and request beside its changes', async () => {
    await strayAllocation()
    const { plan, detail } = await planned('stray-allocation')
    await api.as('operator').heal.applyParts({ id: plan, parts: all(detail), reason: 'it was leaked' })
    const { rows } = await sql(
      `select who, reason, request, data from audit_entry where action = 'heal.applied' order by id desc limit 1`,
    )
    expect(rows[0]).toMatchObject({
      who: 'the_operator',
      reason: 'it was leaked',
      request: expect.any(String),
      data: { plan },
    })
  })

  test('leaves out unselected parts, which can be applied later', async () => {
    await strayAllocation()
    await strayAllocation()
    const { plan, detail } = await planned('stray-allocation')
    expect(detail.part).toHaveLength(2)
    const operator = api.as('operator')
    expect(await operator.heal.applyParts({ id: plan, parts: [1], reason: 'one' })).toMatchObject({
      state: 'partly-applied',
    })
    expect((await operator.heal.byId({ id: plan })).part.map(({ state }) => state)).toEqual(['applied', 'left-out'])
    expect(await operator.heal.applyParts({ id: plan, parts: [2], reason: 'two' })).toMatchObject({ state: 'applied' })
  })

  test('cannot be planned for a finding that no longer exists', async () => {
    const consumer = await strayAllocation()
    const [row] = await found('stray-allocation')
    await sql('delete from allocation where consumer_id = $1', [consumer])
    await sql('delete from consumer where id = $1', [consumer])
    await expect(api.as('support').heal.plan({ findings: [row!.id] })).rejects.toThrow(/no longer exists/)
  })
})

describe('two-person approval', () => {
  test('lets an operator approve a repair proposed by support, and both are in the trail', async () => {
    await strayAllocation()
    const [row] = await found('stray-allocation')
    const support = api.as('support')
    const { plan } = await support.heal.plan({ findings: [row!.id] })
    const asked = await support.heal.applyParts({ id: plan, parts: [1], reason: 'customer waits' })
    expect(asked).toMatchObject({ state: 'draft', applied: 0, proposal: expect.any(String) })
    expect(await found('stray-allocation')).toHaveLength(1)
    const id = asked.proposal!
    await expect(support.proposal.decide({ id, approve: true, reason: 'go' })).rejects.toThrow(/second person/)
    const decided = await api.as('operator').proposal.decide({ id, approve: true, reason: 'looked at it' })
    expect(decided).toEqual({ state: 'approved', refusal: null })
    expect(await found('stray-allocation')).toEqual([])
    const { rows } = await sql(
      `select who, reason from audit_entry where action = 'heal.applied' order by id desc limit 1`,
    )
    expect(rows[0]).toEqual({
      ...{ who: 'the_support', reason: 'customer waits (approved by the_operator: looked at it)' },
    })
    expect((await api.as('viewer').heal.byId({ id: plan })).approval).toMatchObject({ state: 'approved' })
  })

  test('applies to operators too where the rule says so', async () => {
    await putSetting(api.database, 'second-person', ['lost', 'heal'])
    const operator = api.as('operator')
    const stated = await operator.host.setStatus({ id: host, status: 'lost', reason: 'burned' })
    expect(stated.proposal).toEqual(expect.any(String))
    await expect(operator.proposal.decide({ id: stated.proposal!, approve: true, reason: 'yes' })).rejects.toThrow(
      /You requested it/,
    )
    const status = async () => (await api.as('viewer').host.byId({ id: host })).status
    expect(await status()).toBe('up')
    const decided = await api
      .as('admin')
      .proposal.decide({ id: stated.proposal!, approve: true, reason: 'saw the ash' })
    expect(decided.state).toBe('approved')
    await api.settle()
    expect(await status()).toBe('lost')
    const { rows } = await sql(
      `select who, data from audit_entry where action = 'host.status' order by id desc limit 1`,
    )
    expect(rows[0]).toMatchObject({
      who: 'the_operator',
      data: { approvedBy: 'the_admin', proposedBy: 'the_operator' },
    })
  })

  test('keeps one request for repeats, and one that became impossible stays open with the reason', async () => {
    const support = api.as('support')
    const ask = { host, status: 'down', reason: 'no answer' } as const
    const first = await support.proposal.create(ask)
    expect(await support.proposal.create(ask)).toEqual(first)
    await api.as('operator').host.setStatus({ id: host, status: 'down', reason: 'no answer' })
    await api.settle()
    const decided = await api.as('admin').proposal.decide({ id: first.proposal, approve: true, reason: 'yes' })
    expect(decided).toMatchObject({ state: 'open', refusal: { kind: 'not-permitted' } })
    expect(
      await support.proposal.decide({ id: first.proposal, approve: false, reason: 'done by others' }),
    ).toMatchObject({
      state: 'withdrawn',
    })
    expect(await api.as('viewer').proposal.list({ state: 'withdrawn' })).toMatchObject([{ id: first.proposal }])
  })
})

describe('automatic repair rules', () => {
  test('are off until an admin enables one, and then name the admin', async () => {
    const rules = await api.as('viewer').finding.rules()
    expect(rules.every(({ on }) => !on)).toBe(true)
    const set = { kind: 'stray-allocation', on: true, dailyCap: 2, reason: 'known leak' } as const
    const [rule] = (await api.as('admin').finding.setRule(set)).filter(({ kind }) => kind === 'stray-allocation')
    expect(rule).toMatchObject({ on: true, dailyCap: 2, usedToday: 0, by: 'the_admin' })
    await expect(api.as('operator').finding.setRule(set)).rejects.toThrow(/needs admin/)
  })
})

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { putSetting } from '../../store/catalog/policy'
import { decideProposal, putProposal } from '../../store/proposal/proposal'
import { noteSurvey } from '../../store/survey/survey'
import { ACTOR, newMigrationId, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// An approval and what it approves are two transactions. Whatever happens between them, a request is not shown as
// approved while nothing of it was done.

let now = Date.now()
const api = onFreshDatabase((fresh) => openTestApi(fresh, { now: () => now }))

let n = 0
let host: HostId
beforeEach(async () => {
  now = Date.now()
  host = (await putHost(api.database, smallHost({ n: ++n }))).id
  await putSetting(api.database, 'second-person', ['down'])
  await api.settle()
})
afterEach(() => void vi.restoreAllMocks())

const reason = 'no answer'
const propose = async () => (await api.as('support').proposal.create({ host, status: 'down', reason })).proposal
const statusOf = async (id: HostId) => (await api.as('viewer').host.byId({ id })).status
const stateOf = async (id: string) => (await api.as('viewer').proposal.list({})).find((each) => each.id === id)?.state

const OF_THE_DECISION = /proposal|commit_change|^(begin|commit)$/i

/** Fails the nth statement of a decision and all later ones, as a kill does. Answers how many there were. */
function killedAt(nth: number): () => number {
  let seen = 0
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text?: string } | undefined)?.text
    if (!text || !OF_THE_DECISION.test(text.trim()) || ++seen < nth) return query.apply(this, args)
    const error = new Error('killed')
    const last = args.at(-1)
    if (typeof last === 'function') return void last(error)
    return Promise.reject(error)
  } as never)
  return () => seen
}

/** The consumer of a migration that never existed holds an allocation on the host. */
async function strayAllocation(): Promise<void> {
  const id = newMigrationId()
  const { pool } = api.database
  await pool.query(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [id])
  await pool.query(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 512)`,
    [id, host],
  )
}

async function strays() {
  await api.as('support').finding.audit()
  return (await api.as('viewer').finding.list({ host })).rows.map(({ id }) => id)
}

test('an action is requested once more if the open request like it is decided meanwhile', async () => {
  const first = await propose()
  const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<pg.QueryResult>
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
    const answer = await query.apply(this, args)
    if (typeof args[0] === 'string' && args[0].startsWith('insert into proposal') && answer.rowCount === 0) {
      vi.restoreAllMocks()
      await api.as('admin').proposal.decide({ id: first, approve: false, reason: 'no' })
    }
    return answer
  } as never)
  const second = await propose()
  expect([await stateOf(first), await stateOf(second)]).toEqual(['refused', 'open'])
})

test('an approval that was not carried out expires if the same release was proposed for another host since', async () => {
  const { database } = api
  const other = (await putHost(database, smallHost({ n: ++n }))).id
  const consumer = newMigrationId()
  const release = (of: HostId, generation: number) =>
    putProposal(database, {
      ...{ id: newMigrationId(), kind: 'release', host: of, status: null, plan: null, consumer, generation, parts: [] },
      ...{
        writtenAt: now,
        cloud: null,
        request: null,
        actor: ACTOR,
        byId: 'somebody',
        at: now,
        expiresAt: now + 3_600_000,
      },
    })
  const first = await release(host, 1)
  await decideProposal(database, { id: first, state: 'approved', actor: ACTOR, at: now })
  const second = await release(other, 2)
  now += 6 * 60_000
  expect([await stateOf(first), await stateOf(second)]).toEqual(['expired', 'open'])
})

/** The event that ended the request: who, and why. */
async function endOf(id: string) {
  await api.settle()
  const text = "select who, reason from event where kind = 'proposal.expired' and data ->> 'proposal' = $1"
  return (await api.database.pool.query(text, [id])).rows
}

test('an event says that a request expired, or that another one replaced it', async () => {
  const id = await propose()
  now += 25 * 3_600_000
  expect(await stateOf(id)).toBe('expired')
  expect(await endOf(id)).toEqual([{ who: 'berth', reason: 'It expired without a decision.' }])
  const consumer = newMigrationId()
  const release = (generation: number) =>
    putProposal(api.database, {
      ...{ id: newMigrationId(), kind: 'release', host, status: null, plan: null, consumer, generation, parts: [] },
      ...{ writtenAt: now, cloud: null, request: null, actor: ACTOR, byId: 'somebody' },
      ...{ at: now, expiresAt: now + 3_600_000 },
    })
  const first = await release(1)
  const second = await release(2)
  expect([await stateOf(first), await stateOf(second)]).toEqual(['expired', 'open'])
  expect(await endOf(first)).toEqual([{ who: ACTOR.who, reason: 'Another request replaced it.' }])
})

/** Requests an action on a cloud. */
const onCloud = (cloud: string, request: Readonly<Record<string, unknown>>) =>
  putProposal(api.database, {
    ...{ id: newMigrationId(), kind: 'cloud', host: null, status: null, plan: null, consumer: null, generation: null },
    ...{ writtenAt: null, cloud, request, parts: [], actor: ACTOR, byId: 'somebody' },
    ...{ at: now, expiresAt: now + 3_600_000 },
  })

test('a request for the same action on a cloud is the one that is open', async () => {
  const cloud = newMigrationId()
  const act = (subject: string, of = cloud) =>
    onCloud(of, { do: 'act', does: 'Live-migrate', verb: 'live-migrate', subject, host: 'a' })
  const [one, same, elsewhere, other] = [
    await act('a'),
    await act('a'),
    await act('b'),
    await act('a', newMigrationId()),
  ]
  expect(same).toBe(one)
  expect(new Set([one, elsewhere, other]).size).toBe(3)
  await decideProposal(api.database, { id: one, state: 'refused', actor: ACTOR, at: now })
  expect(await act('a')).not.toBe(one)
})

const REPAIR = { do: 'repair', does: 'Deletes its allocations.', finding: 'f1', print: '1' }
const LIVE = { do: 'act', does: 'Live-migrates web-1.', verb: 'live-migrate', subject: 'web-1', host: 'a' }
const DRAIN = { do: 'drain', does: 'Drains n1 through Nova.', host: 'n1', cold: false, most: 2 }

test.each([
  ['repair of the finding', REPAIR, { ...REPAIR, print: '2' }, { ...REPAIR, finding: 'f2' }],
  ['action on the subject', LIVE, { ...LIVE, host: 'b' }, { ...LIVE, verb: 'reboot' }],
  ['drain of the host', DRAIN, { ...DRAIN, cold: true }, { ...DRAIN, host: 'n2' }],
])('a request for another %s replaces the open one, and no other', async (_, before, after, other) => {
  const cloud = newMigrationId()
  const ids = [
    await onCloud(cloud, before),
    await onCloud(cloud, other),
    await onCloud(newMigrationId(), before),
    await onCloud(cloud, after),
  ]
  const states = await Promise.all(ids.map(stateOf))
  expect(states).toEqual(['expired', 'open', 'open', 'open'])
  expect(await endOf(ids[0]!)).toEqual([{ who: ACTOR.who, reason: 'Another request replaced it.' }])
})

test('of different requests for one repair of a cloud that are made at the same time, one stays open', async () => {
  const cloud = newMigrationId()
  const ids = await Promise.all(['1', '2', '3', '4', '5', '6'].map((print) => onCloud(cloud, { ...REPAIR, print })))
  const states = await Promise.all(ids.map(stateOf))
  expect(states.filter((state) => state === 'open')).toHaveLength(1)
})

test('an approval on a cloud that was not carried out expires if its calls were requested again since', async () => {
  const cloud = newMigrationId()
  const first = await onCloud(cloud, REPAIR)
  await decideProposal(api.database, { id: first, state: 'approved', actor: ACTOR, at: now })
  const second = await onCloud(cloud, { ...REPAIR, print: '2' })
  now += 6 * 60_000
  expect([await stateOf(first), await stateOf(second)]).toEqual(['expired', 'open'])
})

test('marking a host as lost needs approval whenever marking it as fenced does: both permit its evacuation', async () => {
  await putSetting(api.database, 'second-person', ['fenced'])
  const answer = await api.as('operator').host.setStatus({ id: host, status: 'lost', reason })
  expect(answer.proposal).toEqual(expect.any(String))
  expect(await statusOf(host)).toBe('up')
})

test('a user whom the identity provider renames cannot approve their own request', async () => {
  const rename = (from: string, to: string) =>
    api.database.pool.query('update auth_user set username = $2 where username = $1', [from, to])
  const operator = () => api.as('operator').proposal
  const { proposal: id } = await operator().create({ host, status: 'down', reason })
  await rename('the_operator', 'renamed')
  try {
    await expect(operator().decide({ id, approve: true, reason: 'yes' })).rejects.toThrow('You requested it')
    expect((await operator().list({})).find((each) => each.id === id)?.permit.ok).toBe(false)
    expect(await statusOf(host)).toBe('up')
    expect(await operator().decide({ id, approve: false, reason: 'no' })).toMatchObject({ state: 'withdrawn' })
  } finally {
    await rename('renamed', 'the_operator')
  }
})

test.each(['by', 'by_id'])('a bad value in %s does not let the proposer approve', async (column) => {
  const operator = () => api.as('operator').proposal
  const { proposal: id } = await operator().create({ host, status: 'down', reason })
  await api.database.pool.query(`update proposal set ${column} = 'nobody' where id = $1`, [id])
  await expect(operator().decide({ id, approve: true, reason: 'yes' })).rejects.toThrow('You requested it')
  await operator().decide({ id, approve: false, reason: 'no' })
})

test('an open request still awaits a second person after its setting was switched off, until it is withdrawn', async () => {
  await putSetting(api.database, 'second-person', ['lost'])
  const request = async () => (await api.as('operator').host.setStatus({ id: host, status: 'lost', reason })).proposal!
  const own = await request()
  await putSetting(api.database, 'second-person', [])
  const decide = (role: 'operator' | 'admin', id: string, approve: boolean) =>
    api.as(role).proposal.decide({ id, approve, reason: 'x' })
  await expect(decide('operator', own, true)).rejects.toThrow('You requested it')
  expect([await stateOf(own), await statusOf(host)]).toEqual(['open', 'up'])
  expect(await decide('operator', own, false)).toMatchObject({ state: 'withdrawn' })
  await putSetting(api.database, 'second-person', ['lost'])
  const other = await request()
  await putSetting(api.database, 'second-person', [])
  expect(await decide('admin', other, true)).toMatchObject({ state: 'approved' })
  await api.settle()
  expect(await statusOf(host)).toBe('lost')
})

test('the consequences of a status say whether a second person is needed', async () => {
  await putSetting(api.database, 'second-person', ['lost'])
  const asks = async (action: 'down' | 'lost' | 'disable') =>
    (await api.as('operator').host.consequences({ id: host, action })).asks
  expect([await asks('down'), await asks('lost'), await asks('disable')]).toEqual([false, true, false])
})

describe('an approval of a repair', () => {
  beforeEach(async () => {
    await putSetting(api.database, 'second-person', ['heal'])
    // A host that does not answer proves nothing.
    for (const ago of [120_000, 60_000]) await noteSurvey(api.database, [{ host, at: Date.now() - ago, guests: [] }])
    for (let each = 0; each < 2; each++) await strayAllocation()
  })

  test('covers the parts that were proposed, and no others', async () => {
    const operator = api.as('operator')
    const { plan } = await operator.heal.plan({ findings: await strays() })
    expect(await operator.heal.byId({ id: plan })).toMatchObject({ asks: true })
    const { proposal } = await operator.heal.applyParts({ id: plan, parts: [1], reason: 'one' })
    await api.as('admin').proposal.decide({ id: proposal!, approve: true, reason: 'yes' })
    expect(await strays()).toHaveLength(1)
    const second = await operator.heal.applyParts({ id: plan, parts: [2], reason: 'the other' })
    expect(second).toMatchObject({ applied: 0, proposal: expect.any(String) })
  })

  test('stays open with the reason if rows changed, so that nothing of it was written', async () => {
    const operator = api.as('operator')
    const found = await strays()
    const { plan } = await operator.heal.plan({ findings: found })
    const { proposal } = await operator.heal.applyParts({ id: plan, parts: [1, 2], reason: 'both' })
    await api.database.pool.query('update allocation set amount = amount + 1 where provider_id = $1', [host])
    const approve = () => api.as('admin').proposal.decide({ id: proposal!, approve: true, reason: 'yes' })
    const changed = { state: 'open', refusal: { kind: 'changed-meanwhile', have: expect.stringContaining('new plan') } }
    expect(await approve()).toMatchObject(changed)
    expect(await stateOf(proposal!)).toBe('open')
    // The new plan is no part of what was approved.
    expect(await approve()).toMatchObject(changed)
    expect(await strays()).toEqual(found)
  })

  test('is of what was shown: proposing other parts replaces the open request', async () => {
    const { heal } = api.as('support')
    const { plan } = await heal.plan({ findings: await strays() })
    await putSetting(api.database, 'second-person', [])
    expect(await heal.byId({ id: plan })).toMatchObject({ asks: true })
    expect(await api.as('operator').heal.byId({ id: plan })).toMatchObject({ asks: false })
    await putSetting(api.database, 'second-person', ['heal'])
    const first = await heal.applyParts({ id: plan, parts: [1], reason: 'one' })
    const second = await heal.applyParts({ id: plan, parts: [1, 2], reason: 'both' })
    const approve = (id: string) => api.as('operator').proposal.decide({ id, approve: true, reason: 'yes' })
    await expect(approve(first.proposal!)).rejects.toThrow(/expired already/)
    await approve(second.proposal!)
    expect(await strays()).toEqual([])
  })
})

describe('an approval that takes long to carry out', () => {
  const notedAt = async (id: string) =>
    (await api.database.pool.query('select ms(running_at)::float8 as at from proposal where id = $1', [id])).rows[0]?.at

  const untilTrue = async (check: () => Promise<boolean>) => {
    for (let tries = 0; tries < 1_000 && !(await check()); tries++) await new Promise((next) => setTimeout(next, 10))
  }

  const isBlocked = async () =>
    (
      await api.database.pool.query(
        'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
      )
    ).rowCount === 1

  test('is shown as running and cannot be approved again, until it is done', async () => {
    const id = await propose()
    const other = await api.database.pool.connect()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await other.query('begin')
      await other.query('select from host where id = $1 for update', [host])
      const decision = api.as('admin').proposal.decide({ id, approve: true, reason: 'yes' })
      await untilTrue(isBlocked)
      for (let minute = 0; minute < 8; minute++) {
        now += 60_000
        vi.advanceTimersByTime(60_000)
        await untilTrue(async () => (await notedAt(id)) === now)
        expect(await stateOf(id)).toBe('running')
      }
      expect((await api.as('viewer').proposal.list({ state: 'running' })).map((each) => each.id)).toEqual([id])
      const again = api.as('operator').proposal.decide({ id, approve: true, reason: 'again' })
      await expect(again).rejects.toThrow('It is running already.')
      await other.query('commit')
      expect(await decision).toMatchObject({ state: 'approved' })
    } finally {
      vi.useRealTimers()
      other.release(true)
    }
    expect(await stateOf(id)).toBe('approved')
    expect(await api.as('viewer').proposal.list({ state: 'running' })).toEqual([])
  })
})

describe('a server that is killed while it carries out an approval', () => {
  test('leaves the request open for another approval, unless it was carried out', async () => {
    const states = new Set<string>()
    for (let nth = 1, isWhole = false; !isWhole; nth++) {
      host = (await putHost(api.database, smallHost({ n: ++n }))).id
      await api.settle()
      const id = await propose()
      const seen = killedAt(nth)
      await api
        .as('admin')
        .proposal.decide({ id, approve: true, reason: 'yes' })
        .catch(() => {})
      isWhole = seen() < nth
      vi.restoreAllMocks()
      await api.settle()
      now += 6 * 60_000
      const state = await stateOf(id)
      states.add(`${state} ${await statusOf(host)}`)
      if ((await statusOf(host)) === 'up') {
        expect([nth, state]).toEqual([nth, 'open'])
        await api.as('admin').proposal.decide({ id, approve: true, reason: 'yes' })
        await api.settle()
      }
      expect(await statusOf(host)).toBe('down')
    }
    expect(states).toContain('open up')
    expect(states).toContain('approved down')
  })
})

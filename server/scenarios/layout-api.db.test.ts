import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApi } from '../api/testing/api'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type RolloutParts, rolloutRound } from '../conductor/rollout'
import type { Host } from '../engine/host'
import { smallHost } from '../engine/testing/hosts'
import { flavor, pinned } from '../engine/testing/instances'
import { build, present, putHost } from '../store/testing/records'

const api = onFreshDatabase(openTestApi)
let hosts: Host[]
beforeAll(async () => {
  hosts = []
  for (let n = 1; n <= 4; n++) {
    const { id } = await putHost(api.database, n === 4 ? uneven(n) : hostNumber(n))
    await build(api.database, id, { flavor: pinned(2, { 'pci_passthrough:alias': 'vf:1' }), name: `pinned-${n}` })
    await build(api.database, id, { flavor: flavor(1), name: `floating-${n}` })
    hosts.push(await present(api.database, id))
  }
  await api.settle()
})

const hostNumber = (n: number) => smallHost({ n, shared: 2, vfs: 2, vgpus: 2 })

/** Its root counts a CPU that no NUMA node has. */
function uneven(n: number): Host {
  const host = hostNumber(n)
  const [root] = host.providers
  const inventories = root!.inventories.map((each) =>
    each.resourceClass === 'PCPU' ? { ...each, total: each.total + 1 } : each,
  )
  return { ...host, providers: [{ ...root!, inventories }] }
}

const reason = 'nested providers'
const rowOf = async (n: number) => {
  const { rows } = await api.as('viewer').layout.list()
  return rows.find(({ host }) => host.id === hosts[n]!.id)!
}
const roundWith = (parts: Partial<RolloutParts>) =>
  rolloutRound({ database: api.database, commit: api.services.commit, now: () => Date.now(), ...parts })
const round = () => roundWith({})

test('every host starts flat', async () => {
  const { rows, wave } = await api.as('viewer').layout.list()
  expect(wave).toBeNull()
  expect(rows.map(({ state, version, consumers }) => [state, version, consumers])).toEqual(
    Array.from({ length: 4 }, () => ['flat', 0, 2]),
  )
})

test('a dry run plans every host and changes only markers', async () => {
  const before = await Promise.all(hosts.map(({ id }) => present(api.database, id)))
  expect(await api.as('support').layout.dryRun()).toEqual({ planned: 3, blocked: 1 })
  expect(await Promise.all(hosts.map(({ id }) => present(api.database, id)))).toEqual(before)
  expect(await rowOf(0)).toMatchObject({ state: 'planned', by: 'the_support', version: 1 })
  expect(await rowOf(3)).toMatchObject({ state: 'blocked', blockedBy: expect.stringContaining('PCPU') })
  await api.as('operator').layout.dryRun()
  expect(await rowOf(0)).toMatchObject({ version: 1 })
})

test('a plan shows the tree before and after, and every line with its reason', async () => {
  const plan = await api.as('support').layout.plan({ host: hosts[0]!.id })
  expect(plan.permit).toMatchObject({ ok: false })
  expect(plan.before).toMatchObject({ is: 'root', children: [] })
  expect(plan.after?.children.map(({ is }) => is)).toEqual(['pf', 'pf', 'cell', 'cell', 'gpu'])
  expect(plan.movedAllocations).toBe(4)
  const text = plan.lines.map(({ sign, what, before, after }) => `${sign} ${what}: ${before} → ${after}`)
  expect(text).toContain('~ layout of h1: flat → nested')
  expect(text).toContain('+ PCPU of h1_NUMA0 for pinned-1: null → 2')
  expect(text).toContain('- MEMORY_MB of h1 for floating-1: 512 → null')
  expect(text).toContain('~ pci:0000:10:00.1 of h1: present → present, counted by h1_0000:10:00.0')
  expect(plan.lines.every(({ why }) => why.length > 10)).toBe(true)
  const blocked = await api.as('operator').layout.plan({ host: hosts[3]!.id })
  expect(blocked).toMatchObject({ after: null, lines: [], permit: { ok: false }, state: 'blocked' })
})

test('a single host is converted at once, with author and reason in the audit log', async () => {
  expect(await api.as('operator').layout.convert({ host: hosts[0]!.id, reason })).toEqual({
    state: 'verified',
    blockedBy: null,
  })
  await api.settle()
  expect(await rowOf(0)).toMatchObject({ state: 'verified', by: 'the_operator' })
  expect((await api.as('viewer').host.byId({ id: hosts[0]!.id })).layout).toBe('nested')
  const { rows } = await api.database.pool.query(
    "select who, reason, action from audit_entry where action like 'layout.%' and reason = $1 order by id",
    [reason],
  )
  expect(rows).toEqual([
    { who: 'the_operator', reason, action: 'layout.healed' },
    { who: 'the_operator', reason, action: 'layout.verified' },
  ])
  expect(await api.as('operator').layout.convert({ host: hosts[0]!.id, reason })).toMatchObject({ state: 'verified' })
  expect(await api.as('operator').layout.convert({ host: hosts[3]!.id, reason })).toMatchObject({ state: 'blocked' })
})

describe('a rollout', () => {
  test('skips converted hosts, leaves blocked ones flat, and can be paused, resumed and stopped', async () => {
    const operator = api.as('operator')
    const { wave } = await operator.layout.startRollout({ hosts: 'all', reason })
    expect((await operator.layout.list()).wave).toMatchObject({
      ...{ id: wave, state: 'running', hosts: 4, reason },
      permitted: { pause: { ok: true }, resume: { ok: false }, stop: { ok: true } },
    })
    await expect(operator.layout.startRollout({ hosts: [hosts[1]!.id], reason })).rejects.toThrow(/running already/)
    await operator.layout.control({ wave, do: 'pause' })
    await round()
    expect(await rowOf(1)).toMatchObject({ state: 'planned' })
    await expect(operator.layout.control({ wave, do: 'pause' })).rejects.toThrow(/paused already/)
    await operator.layout.control({ wave, do: 'resume' })
    await round()
    await api.settle()
    const board = await operator.layout.list()
    expect(board.wave).toMatchObject({ state: 'done', healed: 2, skipped: 1, blocked: 1, failed: null })
    expect(board.rows.map(({ state }) => state)).toEqual(['verified', 'verified', 'verified', 'blocked'])
    await expect(operator.layout.control({ wave, do: 'stop' })).rejects.toThrow(/done/)
  })

  test('ends a round in time when the clock is set back, and the next round goes on', async () => {
    const { wave } = await api.as('operator').layout.startRollout({ hosts: 'all', reason })
    let elapsedMs = 0
    const late = () => {
      elapsedMs += 3_000
      return elapsedMs
    }
    expect(await roundWith({ monotonicMs: late })).toMatchObject({ id: wave, state: 'running' })
    expect(await round()).toMatchObject({ id: wave, state: 'done' })
  })

  test('of unknown hosts is refused', async () => {
    const operator = api.as('operator')
    await expect(operator.layout.startRollout({ hosts: [randomUUID()], reason })).rejects.toThrow(/no host/)
    await expect(operator.layout.control({ wave: randomUUID(), do: 'stop' })).rejects.toThrow(/no rollout/)
    await expect(operator.layout.startRollout({ hosts: [], reason })).rejects.toThrow(/1 to 5000 ids/)
    await expect(operator.layout.startRollout({ hosts: 'some' as 'all', reason })).rejects.toThrow(/or all/)
  })
})

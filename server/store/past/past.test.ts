import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { AT, buildOf, changeOf, present, putHost } from '../testing/records'
import { forgetPastBefore, readHeldAt, readHostsChangedSince, readPastSince } from './past'

// After random writes, a view of a past time shows the same holdings as a read made at that time.

const database = onFreshDatabase(connectDatabase)

const commitOrThrow = async (change: Change, at: number) => {
  const committed = await commit(database, { ...change, at })
  if (!committed.ok) throw new Error(JSON.stringify(committed.conflict))
}
const heldAt = async ({ id }: Host, at: number) => (await readHeldAt(database, [id], at)).holdings.get(id) ?? []

test('every time of builds and releases shows the claims of that time', async () => {
  const host = await putHost(database, smallHost({ n: 1, cores: 8, vfs: 2 }))
  const moments: { readonly at: number; readonly held: Host['holdings'] }[] = []
  const remember = async (at: number) => {
    moments.push({ at, held: (await present(database, host.id)).holdings })
  }
  const instances = []
  for (let n = 1; n <= 4; n++) {
    const change = buildOf(await present(database, host.id), { flavor: pinned(2) })
    instances.push(change.instance)
    await commitOrThrow(change, AT + n * 1000)
    await remember(AT + n * 1000)
  }
  for (const [n, instance] of [instances[1]!, instances[3]!].entries()) {
    const at = AT + (n + 10) * 1000
    await commitOrThrow(changeOf([{ do: 'release', consumer: instance }]), at)
    await remember(at)
  }
  for (const { at, held } of moments) {
    expect(await heldAt(host, at)).toEqual(held)
    expect(await heldAt(host, at + 500)).toEqual(held)
  }
  expect(await heldAt(host, AT)).toEqual([])
})

test('a row changed by a database client has the same history', async () => {
  const host = await putHost(database, smallHost({ n: 2 }))
  await commitOrThrow(buildOf(await present(database, host.id), { flavor: pinned(2) }), AT)
  const before = (await present(database, host.id)).holdings
  await database.pool.query(`delete from unit_holding where unit_id in (select id from unit where host_id = $1)`, [
    host.id,
  ])
  expect((await present(database, host.id)).holdings[0]?.body.units).toEqual([])
  expect(await heldAt(host, AT + 1)).toEqual(before)
})

test('only hosts that changed since are returned', async () => {
  const [quiet, busy] = [await putHost(database, smallHost({ n: 3 })), await putHost(database, smallHost({ n: 4 }))]
  await commitOrThrow(buildOf(quiet, { flavor: pinned(1) }), AT)
  const change = buildOf(busy, { flavor: pinned(1) })
  await commitOrThrow(change, AT)
  await commitOrThrow(changeOf([{ do: 'release', consumer: change.instance }]), AT + 60_000)
  const changed = await readHostsChangedSince(database, AT + 1_000)
  expect(changed).toContain(busy.id)
  expect(changed).not.toContain(quiet.id)
})

test('deleted history is not shown as if nothing had been held', async () => {
  const host = await putHost(database, smallHost({ n: 5 }))
  const change = buildOf(host, { flavor: pinned(1) })
  await commitOrThrow(change, AT)
  await commitOrThrow(changeOf([{ do: 'release', consumer: change.instance }]), AT + 1_000)
  const now = Date.now() + 86_400_000
  expect(await forgetPastBefore(database, now)).toBeGreaterThan(0)
  expect(await readPastSince(database)).toBe(now)
  expect(await forgetPastBefore(database, now - 1)).toBe(0)
  expect(await readPastSince(database)).toBe(now)
})

let hosts = 20

test.each([
  ...['[5]', '5', '"text"', 'null', '{}'],
  ...[
    '{"guest_cell": "zz", "pins": 5}',
    '{"guest_cell": 0, "memory_mib": [], "page_kib": {"zz": 1}, "pins": [["zz"]]}',
  ],
])('a corrupt past NUMA node %s does not break reads of its time', async (cell) => {
  const { pool } = database
  const host = await putHost(database, smallHost({ n: hosts++, cores: 4 }))
  const change = buildOf(await present(database, host.id), { flavor: pinned(2) })
  await commitOrThrow(change, AT)
  await commitOrThrow(changeOf([{ do: 'release', consumer: change.instance }]), AT + 2_000)
  // Writes a row as if before its checks existed.
  for (const check of ['past_cell_cell_shape', 'past_cell_cell_members'])
    await pool.query(`alter table past_cell drop constraint if exists ${check}`)
  const { rowCount } = await pool.query(
    'update past_cell set cell = $1::jsonb where claim_id in (select claim_id from past_claim where host_id = $2)',
    [cell, host.id],
  )
  expect(rowCount).toBeGreaterThan(0)
  expect((await heldAt(host, AT + 1_000)).map(({ instance }) => instance)).toEqual([change.instance])
})

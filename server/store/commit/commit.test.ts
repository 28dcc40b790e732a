import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change, Instance, Write } from '../../engine/change'
import { instanceId, smallHost } from '../../engine/testing/hosts'
import { demandFor, pinned, planOn } from '../../engine/testing/instances'
import type { ProviderId } from '../../engine/words/ids'
import { connectDatabase } from '../database/database'
import { takeLease } from '../migration/lease'
import { readInstanceView, readMigrationView } from '../migration/view'
import {
  AT,
  acceptMigration,
  build,
  buildOf,
  changeOf,
  heldUnits,
  migrationOf,
  newMigrationId,
  present,
  putHost,
  rowCounts,
  takeFor,
} from '../testing/records'
import { commit } from './commit'

const database = onFreshDatabase(connectDatabase)
let next = 1
const freshHost = (set: Parameters<typeof smallHost>[0] = {}) =>
  putHost(database, smallHost({ n: next++, cells: 2, cores: 4, vfs: 2, vgpus: 2, ...set }))

async function instanceOf(id: Parameters<typeof readInstanceView>[1]): Promise<Instance> {
  const view = await readInstanceView(database, id)
  if (!view) throw new Error('no instance')
  return view.instance
}

/** Nothing is written, and the answer names the conflict. */
async function conflicts(change: Change, on: string): Promise<string> {
  const before = await rowCounts(database)
  const committed = await commit(database, change)
  expect(committed).toMatchObject({ ok: false, conflict: { on } })
  expect(await rowCounts(database)).toEqual(before)
  return committed.ok ? '' : committed.conflict.found
}

describe('a claim', () => {
  test('is read back as it was decided', async () => {
    const host = await freshHost()
    const change = buildOf(host, { flavor: pinned(3, { 'pci_passthrough:alias': 'vf:1', 'hw:numa_nodes': '1' }) })
    const committed = await commit(database, change)
    expect(committed).toEqual({ ok: true, raised: { [host.id]: (host.providers[0]?.generation ?? 0) + 1 } })
    const after = await present(database, host.id)
    const [holding] = after.holdings
    const take = change.writes.find((write) => write.do === 'take')
    const byClass = (a: { resourceClass: string }, b: { resourceClass: string }) =>
      a.resourceClass < b.resourceClass ? -1 : 1
    expect(holding?.body.cells).toEqual(take?.plan.cells)
    expect(holding?.body.amounts).toEqual([...(take?.plan.amounts ?? [])].sort(byClass))
    expect(new Set(holding?.body.units)).toEqual(new Set(take?.plan.units))
    expect(holding).toMatchObject({ consumerKind: 'instance', instance: change.instance, claim: take?.claim })
  })

  test('on an outdated generation is a conflict that names the current one', async () => {
    const host = await freshHost()
    await build(database, host.id)
    expect(await conflicts(buildOf(host), 'provider')).toBe(String((host.providers[0]?.generation ?? 0) + 1))
  })

  test('on an unknown provider is a conflict', async () => {
    const guards = { providers: [{ provider: instanceId(99) as string as ProviderId, generation: 1 }] }
    expect(await conflicts(changeOf([], guards), 'provider')).toBe('absent')
  })

  test('of a unit that is already held names the holder', async () => {
    const host = await freshHost()
    const first = await build(database, host.id)
    const { writes, ...rest } = buildOf(host)
    const blind = { ...rest, writes, guards: { ...rest.guards, providers: [] } }
    expect(await conflicts(blind, 'unit')).toBe(first)
  })

  test('of a PF holds its VFs, and a held VF blocks the PF', async () => {
    const host = await freshHost()
    const pf = pinned(1, { 'pci_passthrough:alias': 'pf:1' })
    const vf = pinned(1, { 'pci_passthrough:alias': 'vf:1' })
    const withPf = buildOf(host, { flavor: pf })
    const withVf = buildOf(host, { flavor: vf })
    await commit(database, withPf)
    const held = heldUnits(await present(database, host.id)).filter((unit) => unit.startsWith('pci:'))
    expect(held).toHaveLength(3)
    const cell = held[0]?.slice(0, 13)
    const other = await freshHost()
    expect(other.devices.filter(({ unit }) => unit.startsWith(cell ?? '?'))).toHaveLength(3)
    const takes = { vf: buildOf(other, { flavor: vf }), pf: buildOf(other, { flavor: pf }) }
    await commit(database, takes.vf)
    await conflicts({ ...takes.pf, guards: { ...takes.pf.guards, providers: [] } }, 'unit')
    expect(withVf.writes).toHaveLength(2)
  })

  test('of a parent device holds its children even if the plan left them out', async () => {
    const host = await freshHost()
    const change = buildOf(host, { flavor: pinned(1, { 'pci_passthrough:alias': 'pf:1' }) })
    const writes = change.writes.map((write) => {
      if (write.do !== 'take') return write
      return { ...write, plan: { ...write.plan, units: write.plan.units.filter(({ use }) => use !== 'with-parent') } }
    })
    await commit(database, { ...change, writes })
    const after = await present(database, host.id)
    const children = after.holdings[0]?.body.units.filter(({ use }) => use === 'with-parent')
    expect(children).toHaveLength(2)
  })

  test('for an instance that already exists is a conflict', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    await conflicts(buildOf(await present(database, host.id), { id }), 'instance')
  })
})

describe('a migration', () => {
  test('the exchange is its own inverse', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    const migration = await acceptMigration(database, id)
    const before = await present(database, host.id)
    const swap = changeOf([{ do: 'exchange', instance: id, migration: migration.id }])
    await commit(database, swap)
    const swapped = await present(database, host.id)
    expect(swapped.holdings).toMatchObject([{ consumer: migration.id, consumerKind: 'migration', instance: id }])
    const turnedBack: Write = { do: 'put-migration', migration: { ...migration, direction: 'source' } }
    expect(await commit(database, { ...swap, writes: [turnedBack, ...swap.writes] })).toMatchObject({ ok: true })
    const back = await present(database, host.id)
    expect(back.holdings).toEqual(before.holdings)
    expect(back.providers[0]?.generation).toBe((before.providers[0]?.generation ?? 0) + 2)
  })

  test('exchanges both sides on one host in one statement', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    const migration = await acceptMigration(database, id)
    const now = await present(database, host.id)
    const plan = planOn(now, demandFor(pinned(3)))
    const swap = { do: 'exchange', instance: id, migration: migration.id } as const
    const guards = { providers: plan.guards }
    const claimed: Write = { do: 'put-migration', migration: { ...migration, target: host.id, step: 'transfer' } }
    const writes = [claimed, swap, takeFor(id, id, plan)]
    expect(await commit(database, changeOf(writes, guards))).toMatchObject({ ok: true })
    const both = await present(database, host.id)
    const units = heldUnits(both)
    await commit(database, changeOf([swap]))
    await commit(database, changeOf([swap]))
    expect(await present(database, host.id)).toMatchObject({ holdings: both.holdings })
    expect(heldUnits(await present(database, host.id))).toEqual(units)
    const view = await readMigrationView(database, migration.id)
    expect(view).toMatchObject({ heldByInstance: [{ host: host.id }], heldByMigration: [{ host: host.id }] })
    await commit(database, changeOf([{ do: 'release', consumer: migration.id }]))
    expect((await present(database, host.id)).holdings).toMatchObject([{ consumer: id }])
  })

  test('is the only active one of its instance', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    const first = await acceptMigration(database, id)
    const second = migrationOf(await instanceOf(id), host)
    expect(await conflicts(second.change, 'active-migration')).toBe(first.id)
    const deleting = changeOf([{ do: 'delete-instance', id }])
    expect(await conflicts(deleting, 'active-migration')).toBe(first.id)
  })

  test('with an outdated fence is a conflict, before any generation is compared', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    const migration = await acceptMigration(database, id)
    const lease = await takeLease(database, { migration: migration.id, owner: 'a', ttlMs: 1000, now: AT })
    const guard = { id: migration.id, generation: migration.generation, fence: lease?.fence ?? -1 }
    const put = changeOf([{ do: 'put-migration', migration: { ...migration, attempt: 1 } }], { migration: guard })
    await takeLease(database, { migration: migration.id, owner: 'b', ttlMs: 1000, now: AT + 2000 })
    expect(await conflicts(put, 'fence')).toBe(String(guard.fence + 1))
    const now = { ...guard, fence: guard.fence + 1 }
    expect(await commit(database, { ...put, guards: { ...put.guards, migration: now } })).toMatchObject({
      ok: true,
    })
    const view = await readMigrationView(database, migration.id)
    expect(view?.migration).toEqual({
      ...migration,
      attempt: 1,
      generation: migration.generation + 1,
      fence: now.fence,
    })
    expect(await conflicts({ ...put, guards: { ...put.guards, migration: now } }, 'migration')).toBe(
      String(migration.generation + 1),
    )
  })

  test('raises the generation of a guarded row once, however many writes name it', async () => {
    const host = await freshHost()
    const id = await build(database, host.id)
    const { generation } = await instanceOf(id)
    const guards = { instance: { id, generation } }
    const stop = { do: 'update-instance', id, set: { vmState: 'stopped' } } as const
    const leave = { do: 'update-instance', id, set: { host: null } } as const
    await commit(database, changeOf([stop, leave], guards))
    expect(await instanceOf(id)).toMatchObject({ generation: generation + 1, vmState: 'stopped', host: null })
    await commit(database, changeOf([], { instance: { id, generation: generation + 1 } }))
    expect(await instanceOf(id)).toMatchObject({ generation: generation + 2, vmState: 'stopped' })
    await conflicts(changeOf([stop], guards), 'instance')
  })
})

test('releasing a consumer without a claim changes nothing', async () => {
  expect(await commit(database, changeOf([{ do: 'release', consumer: newMigrationId() }]))).toEqual({
    ok: true,
    raised: {},
  })
})

test('every change records an event, and an audit entry if an actor requested it', async () => {
  const { pool } = database
  const count = async (table: string) => Number((await pool.query(`select count(*) from ${table}`)).rows[0].count)
  const [events, entries] = [await count('outbox'), await count('audit_entry')]
  await commit(database, changeOf([]))
  await commit(database, { ...changeOf([]), actor: { who: 'conductor', request: null, reason: null } })
  expect(await count('outbox')).toBe(events + 2)
  expect(await count('audit_entry')).toBe(entries + 1)
})

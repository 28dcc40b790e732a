import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { groupId, migrationId, smallHost } from '../../engine/testing/hosts'
import { ALIASES, flavor } from '../../engine/testing/instances'
import { readSnapshot } from '../audit/records'
import { putAliases, putFlavors, putGroups, putSetting, readAliases, readSetting } from '../catalog/policy'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { readInFlight } from '../migration/in-flight'
import { readGroup, readInstanceView, readMigrationView } from '../migration/view'
import { noteSurvey } from '../survey/survey'
import { AT, acceptMigration, build, changeOf, newInstanceId, putHost } from '../testing/records'
import { readHostFacts, readLeftovers } from './facts'
import { HOST } from './sql'

const database = onFreshDatabase(connectDatabase)
let next = 1

async function acceptedMigration() {
  const host = await putHost(database, smallHost({ n: next++ }))
  const instance = await build(database, host.id)
  return { migration: await acceptMigration(database, instance), host, instance }
}

describe('the view of a migration', () => {
  test('has everything that a tick decides on', async () => {
    const { migration, host, instance } = await acceptedMigration()
    const view = await readMigrationView(database, migration.id)
    expect(view).toMatchObject({ migration, instance: { id: instance }, target: null, group: null })
    expect(view?.source).toMatchObject({ id: host.id, holdings: [{ consumer: instance }] })
    expect(view?.heldByInstance).toMatchObject([{ host: host.id }])
    expect(view?.heldByMigration).toEqual([])
    expect(await readInstanceView(database, instance)).toMatchObject({ activeMigration: migration.id })
  })

  test('is null for an unknown id', async () => {
    expect(await readMigrationView(database, migrationId(1))).toBeNull()
    expect(await readInstanceView(database, newInstanceId())).toBeNull()
  })
})

test('a group lists the hosts of its other members, once for each member', async () => {
  const group = { id: groupId(1), name: 'apart', policy: 'anti-affinity', maxPerHost: 1 } as const
  await putGroups(database, [group])
  await putGroups(database, [group])
  const host = await putHost(database, smallHost({ n: next++ }))
  const [a, b] = [await build(database, host.id), await build(database, host.id)]
  await database.pool.query('update instance set group_id = $1 where id = any($2)', [group.id, [a, b]])
  const { name: _, ...known } = group
  expect(await readGroup(database, { group: group.id, without: a })).toEqual({
    ...known,
    generation: 1,
    memberHosts: [host.id],
  })
  const nobody = newInstanceId()
  expect((await readGroup(database, { group: group.id, without: nobody }))?.memberHosts).toHaveLength(2)
})

test('active migrations are counted by side, queued ones separately', async () => {
  const [mine, moving, queued] = [await acceptedMigration(), await acceptedMigration(), await acceptedMigration()]
  const to = smallHost({ n: next++ }).id
  await database.pool.query("update migration set step = 'transfer', target = $2 where id = $1", [
    moving.migration.id,
    to,
  ])
  await database.pool.query(
    `update migration set waiting = '{"for":"slot","place":1}', created_at = created_at - interval '1 s' where id = $1`,
    [queued.migration.id],
  )
  const counts = await readInFlight(database, mine.migration.id)
  expect(counts).toEqual({
    fleet: 1,
    bySource: new Map([[moving.host.id, 1]]),
    byTarget: new Map([[to, 1]]),
    queuedBefore: 1,
  })
  // A dead source sends nothing, so evacuations take no slot of it.
  await database.pool.query("update migration set operation = 'evacuate' where id = $1", [moving.migration.id])
  expect(await readInFlight(database, mine.migration.id)).toMatchObject({
    fleet: 1,
    bySource: new Map(),
    byTarget: new Map([[to, 1]]),
  })
})

test('flavors and aliases are added by name, and existing ones that differ are kept and named', async () => {
  expect(await putAliases(database, ALIASES)).toEqual([])
  expect(await putAliases(database, ALIASES)).toEqual([])
  const [first] = ALIASES
  expect(await putAliases(database, [{ ...first!, spec: [{ vendor_id: 'ffff' }] }])).toEqual([first!.name])
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(await readAliases(database)).toEqual([...ALIASES].sort(byName))
  expect(await putFlavors(database, [flavor(2), flavor(4)])).toEqual([])
  expect(await putFlavors(database, [flavor(4), { ...flavor(2), diskGib: 9 }])).toEqual(['f2'])
  expect(await database.prisma.flavor.findMany({ orderBy: { name: 'asc' } })).toMatchObject([
    { name: 'f2', diskGib: BigInt(flavor(2).diskGib) },
    { name: 'f4' },
  ])
  expect(await readSetting(database, 'limits')).toBeNull()
  await putSetting(database, 'limits', { perSource: 2 })
  await putSetting(database, 'limits', { perSource: 3 })
  expect(await readSetting(database, 'limits')).toEqual({ perSource: 3 })
})

test('host facts and leftovers are read without a decision', async () => {
  const host = await putHost(database, smallHost({ n: next++ }))
  await noteSurvey(database, [{ host: host.id, at: AT + 5, guests: [] }])
  const remain = { host: host.id, instance: newInstanceId(), migration: null, side: 'source' } as const
  await commit(database, changeOf([{ do: 'note-remains', ...remain }]))
  expect(await readHostFacts(database, [host.id])).toEqual([
    { id: host.id, reason: null, lastSeenAt: AT + 5, connection: null },
  ])
  expect(await readLeftovers(database, host.id)).toEqual([{ ...remain, since: AT }])
})

test('the audit snapshot is complete', async () => {
  const snapshot = await readSnapshot(database)
  expect(snapshot.hosts.length).toBe(next - 2)
  expect(snapshot.hosts.flatMap(({ holdings }) => holdings)).toHaveLength(snapshot.instances.length)
  expect(snapshot.migrations).toHaveLength(4)
})

test('reading one host uses only indexes, however large the fleet', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('set local enable_seqscan = off')
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (format json) select ${HOST.json} from host h where h.id = $1`,
    [smallHost().id],
  )
  await client.query('rollback')
  client.release()
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  const nodes = plan ? flatten(plan) : []
  const tables = ['claim', 'allocation', 'claim_cell', 'unit_holding', 'unit', 'numa_cell', 'inventory', 'host_remain']
  for (const table of tables) {
    expect(nodes.some((node) => node['Relation Name'] === table && node['Node Type'] === 'Seq Scan')).toBe(false)
    expect(nodes.some((node) => node['Relation Name'] === table)).toBe(true)
  }
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}
const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

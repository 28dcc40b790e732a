import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { inOrder, type Line, type RowKind } from '../engine/rows'
import { linesOfHolding } from '../engine/rows-of-holding'
import { hostId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { HostId } from '../engine/words/ids'
import { type CommitResult, commitOn } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { build, changeOf, present, putHost } from '../store/testing/records'

// Applying any lines to any state either commits or returns a conflict with the reason: never an error of the database.

const RUNS = Number(process.env.BERTH_LINE_RUNS ?? 150)

const database = onFreshDatabase(connectDatabase)
const hosts: HostId[] = []
beforeAll(async () => {
  for (const n of [1, 2]) {
    const layout = n === 1 ? 'nested' : 'flat'
    const host = await putHost(database, smallHost({ n, layout, cells: 2, cores: 8, vfs: 2, diskGib: 100 }))
    hosts.push(host.id)
    const flavor = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
    for (const name of ['a', 'b']) await build(database, host.id, { flavor, name: `${name}${n}` })
  }
  await database.pool.query(
    `insert into consumer (id, type, owner_kind, owner_name) values ($1, 'INSTANCE', 'token', 'nova')`,
    [FOREIGN],
  )
  await database.pool.query(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'DISK_GB', 1)`,
    [FOREIGN, hostId(2)],
  )
})

const FOREIGN = '00000000-0000-4000-8009-000000000001'

/** Every row that a line may name, as the line that would create it. */
async function standing(): Promise<readonly Line[]> {
  const all: Line[] = []
  for (const id of hosts) {
    const host = await present(database, id)
    for (const holding of host.holdings) {
      all.push(...linesOfHolding(host, holding, ''))
      all.push(
        madeOf('instance', { id: holding.instance }, { after: await instanceValue(holding.instance), host: null }),
      )
    }
    for (const { id: provider, name, parent, cell = null, inventories } of host.providers) {
      all.push(madeOf('provider', { id: provider }, { after: { name, parent, root: id, cell }, host: id }))
      for (const { resourceClass, used: _, ...value } of inventories) {
        all.push(madeOf('inventory', { provider, resourceClass }, { after: value, host: id }))
      }
    }
    for (const { unit, provider = null } of host.devices) {
      all.push(madeOf('unit', { host: id, unit }, { after: { provider, state: 'present' }, host: id }))
    }
    all.push(madeOf('host', { id }, { after: { layout: host.layout }, host: id }))
  }
  const key = { consumer: FOREIGN, provider: hostId(2), resourceClass: 'DISK_GB' }
  all.push(
    madeOf('allocation', key, { after: { amount: 1 }, host: hostId(2) }),
    madeOf('consumer', { id: FOREIGN }, { after: { type: 'INSTANCE' }, host: null }),
  )
  return all
}

const madeOf = (row: RowKind, key: object, { host, after }: { host: HostId | null; after: object }) =>
  ({ row, key, before: null, after, host, why: '' }) as unknown as Line

async function instanceValue(id: string): Promise<object> {
  const { rows } = await database.pool.query(
    'select host_id as host, vm_state as "vmState", flavor from instance where id = $1',
    [id],
  )
  return rows[0]
}

const choice = fc.record({
  at: fc.nat(9999),
  other: fc.nat(9999),
  how: fc.constantFrom('drop', 'drop', 'change', 'copy', 'lie'),
})
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never

/** Values that no planner writes, one of which a table refuses. */
const ODD: readonly unknown[] = [null, -1, 2 ** 62, '', 'no such thing', randomUUID(), [], {}]

function lineOf({ at, other, how }: Choice, all: readonly Line[]): Line {
  const line = all[at % all.length] as Line
  const spoilt = (of: object | null) => {
    const entries = Object.entries(of ?? {})
    const [name] = entries[other % Math.max(1, entries.length)] ?? []
    return name === undefined ? of : { ...of, [name]: ODD[other % ODD.length] }
  }
  switch (how) {
    case 'drop':
      return { ...line, before: line.after, after: null } as Line
    case 'change':
      return { ...line, before: line.after, after: spoilt(line.after) } as Line
    case 'copy':
      return { ...line, key: spoilt(line.key) } as Line
    default:
      return { ...line, before: spoilt(line.after), after: line.after } as Line
  }
}

/** Rolled back, so that each run has the same state. */
async function applied(lines: readonly Line[]): Promise<CommitResult> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    return await commitOn(client, changeOf(inOrder(lines).map((line) => ({ do: 'row', line }) as const)))
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('random changes commit or conflict with a reason, whatever they name', async () => {
  const all = await standing()
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 4 }), async (some) => {
      const answer = await applied(some.map((each) => lineOf(each, all)))
      if (!answer.ok) expect(answer.conflict.on).toBeTypeOf('string')
    }),
    { numRuns: RUNS },
  )
})

// Random runs do not reach every outcome, so outcomes are checked here, where each row is taken in turn.
test('a row that others refer to is not deleted and the result says so; any other is deleted', async () => {
  const [committed, conflicts] = [new Set<RowKind>(), new Set<string>()]
  for (const line of await standing()) {
    const answer = await applied([{ ...line, before: line.after, after: null } as Line])
    if (answer.ok) committed.add(line.row)
    else conflicts.add(answer.conflict.on)
  }
  expect([...conflicts].sort()).toEqual(['owner', 'row'])
  const free = ['allocation', 'claim', 'claim-cell', 'inventory', 'provider', 'unit', 'unit-holding']
  expect([...committed].sort()).toEqual(free)
})

import { beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { audit } from '../../engine/audit'
import type { Host } from '../../engine/host'
import { inOrder, type Line, undone } from '../../engine/rows'
import { linesOfHolding } from '../../engine/rows-of-holding'
import { smallHost } from '../../engine/testing/hosts'
import { auditDemand, demandFor, pinned, planOn } from '../../engine/testing/instances'
import type { InstanceId } from '../../engine/words/ids'
import { readSnapshot } from '../audit/records'
import { connectDatabase } from '../database/database'
import { build, changeOf, present, putHost, rowCounts } from '../testing/records'
import { commit } from './commit'

// A repair line is written only while its row is as shown; the reversed line undoes it.

const database = onFreshDatabase(connectDatabase)
let next = 1

let host: Host
let instance: InstanceId
let lines: readonly Line[]
beforeEach(async () => {
  const empty = await putHost(database, smallHost({ n: next++, cells: 2, cores: 2, vfs: 2 }))
  instance = await build(database, empty.id, { flavor: pinned(2, { 'pci_passthrough:alias': 'pf:1' }) })
  host = await present(database, empty.id)
  lines = linesOfHolding(host, host.holdings[0]!, 'because')
})

const write = (some: readonly Line[]) =>
  commit(database, changeOf(inOrder(some).map((line) => ({ do: 'row', line }) as const)))
const generation = (of: Host) => of.providers[0]!.generation

test('a claim is deleted completely, and restored unchanged', async () => {
  expect(await write(undone(lines))).toMatchObject({ ok: true, raised: { [host.id]: generation(host) + 1 } })
  const emptied = await present(database, host.id)
  expect(emptied.holdings).toEqual([])
  expect(emptied.numaNodes.flatMap((node) => node.pinnedCpus)).toEqual([])
  expect(await write(lines)).toMatchObject({ ok: true })
  expect((await present(database, host.id)).holdings).toEqual(host.holdings)
})

test.each<[string, (line: Line) => Line | null]>([
  [
    'a row with another value',
    (l) => (l.row === 'allocation' ? ({ ...l, before: { amount: 77 }, after: null } as Line) : null),
  ],
  [
    'a missing row',
    (l) =>
      l.row === 'allocation'
        ? { ...l, key: { ...l.key, resourceClass: 'VCPU' }, before: { amount: 1 }, after: null }
        : null,
  ],
  ['a row that exists already', (l) => (l.row === 'claim-cell' ? l : null)],
  ['a unit that is already held', (l) => (l.row === 'unit-holding' ? l : null)],
])('%s: the whole change is rejected', async (_, spoil) => {
  const before = await rowCounts(database)
  const spoilt = lines.map(spoil).find((line) => line !== null) as Line
  const other: Line = { row: 'instance', key: { id: instance }, host: null, why: 'also', before: null, after: null }
  const value = { host: host.id, vmState: 'building', flavor: pinned(2, { 'pci_passthrough:alias': 'pf:1' }) } as const
  const alsoDone = { ...other, before: value, after: { ...value, vmState: 'error' } } as Line
  const answer = await commit(database, changeOf([alsoDone, spoilt].map((line) => ({ do: 'row', line }) as const)))
  expect(answer).toMatchObject({ ok: false, conflict: { on: 'row' } })
  expect(await rowCounts(database)).toEqual(before)
  const { rows } = await database.pool.query('select vm_state from instance where id = $1', [instance])
  expect(rows).toEqual([{ vm_state: 'building' }])
})

test('a single amount changes without the rest', async () => {
  const line = lines.find((each) => each.row === 'allocation' && each.key.resourceClass === 'MEMORY_MB')
  if (line?.row !== 'allocation' || line.after === null) throw new Error('no memory held')
  expect(await write([{ ...line, before: line.after, after: { amount: line.after.amount + 1 } }])).toMatchObject({
    ok: true,
  })
  const { holdings } = await present(database, host.id)
  const memory = holdings[0]!.body.amounts.find(({ resourceClass }) => resourceClass === 'MEMORY_MB')
  expect(memory?.amount).toBe(line.after.amount + 1)
})

// Such a claim needs the old kind of host: threads in pairs, and one CPU set for floating and pinned vCPUs.
test('a claim with the emulator on a shared core reads back as it was decided', async () => {
  const made = smallHost({ n: next++, cells: 1, cores: 4, threads: 2 })
  const numaNodes = made.numaNodes.map((node) => ({ ...node, sharedCpus: node.dedicatedCpus }))
  const { id } = await putHost(database, { ...made, numaNodes })
  await build(database, id, { flavor: pinned(1) })
  const flavor = pinned(3, { 'hw:cpu_thread_policy': 'isolate', 'hw:emulator_threads_policy': 'isolate' })
  const decided = planOn(await present(database, id), demandFor(flavor)).cells
  expect(decided).toMatchObject([{ reservedSharesCore: true }])
  await build(database, id, { flavor })
  const after = await present(database, id)
  expect(after.holdings.map(({ body }) => body.cells)).toContainEqual(decided)
  const snapshot = await readSnapshot(database)
  expect(audit(snapshot, auditDemand).filter(({ host }) => host === id)).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { newAuditor, type Snapshot } from '../engine/audit'
import type { Write } from '../engine/change'
import { decide } from '../engine/claim'
import { applyPart } from '../engine/heal/apply'
import { changeOfPart, type HealPart, undoPart } from '../engine/heal/part'
import { planHeal } from '../engine/heal/plan'
import { tablesOf } from '../engine/ledger/tables'
import { inOrder, keyOf, type Line, textOf } from '../engine/rows'
import { type Fault, FaultFleet } from '../engine/testing/faults'
import { chanceOf, fleetOf } from '../engine/testing/fleet'
import { auditDemand } from '../engine/testing/instances'
import { ROW_FAULTS } from '../engine/testing/row-faults'
import { readSnapshot } from '../store/audit/records'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { ACTOR, AT, acceptMigration, changeOf, newClaimId, putHost } from '../store/testing/records'

// The engine's model of a repair against the tables: for the same broken fleet and the same part, both have the same rows
// after the repair, and after its undo.

const FAULTS = Object.entries(ROW_FAULTS).filter(([, fault]) => fault.heals)
const audit = newAuditor(auditDemand)
const options = { demandFor: auditDemand, decide, newClaimId }

const database = onFreshDatabase(connectDatabase)

const FROM = Number(process.env.HEAL_FROM ?? 0) // the first seed, to test other fleets

const broken = (fault: Fault): Snapshot => {
  for (let seed = FROM; ; seed++) {
    const planted = fault.plant(new FaultFleet(fleetOf(seed).snapshot, chanceOf(seed), new Set()))
    if (planted !== null) return planted.snapshot
  }
}

const rowWrites = (lines: readonly Line[]): readonly Write[] => inOrder(lines).map((line) => ({ do: 'row', line }))

/** Writes the broken fleet into empty tables. Returns it as read back, with the parts that have no table. */
async function stored(snapshot: Snapshot): Promise<Snapshot> {
  await database.pool.query(
    'truncate host, resource_provider, instance, migration, consumer, claim, allocation, outbox, event cascade',
  )
  for (const host of snapshot.hosts) await putHost(database, host)
  const rows = [...tablesOf(snapshot).values()].flat().filter(({ row }) => !MADE_OTHERWISE.includes(row))
  const committed = await commit(
    database,
    changeOf([
      ...snapshot.instances.map(
        (instance): Write => ({ do: 'insert-instance', instance: { ...instance, group: null } }),
      ),
      ...snapshot.migrations.map((migration): Write => ({ do: 'insert-migration', migration })),
      ...rowWrites(rows),
    ]),
  )
  if (!committed.ok) throw new Error(JSON.stringify(committed.conflict))
  return { ...snapshot, ...(await readSnapshot(database)) }
}

const MADE_OTHERWISE = ['unit', 'instance', 'migration']
const COMPARED = ['consumer', 'claim', 'claim-cell', 'unit-holding', 'instance', 'migration']

/** Claims and records in the snapshot. Allocations and consumers are separate, because they may have no claim. */
function rowsIn(snapshot: Snapshot): readonly string[] {
  const rows = [...tablesOf(snapshot).values()].flat().filter(({ row }) => COMPARED.includes(row) && row !== 'consumer')
  return rows.map((line) => `${keyOf(line)} ${textOf(line.after)}`).sort()
}

function looseIn(snapshot: Snapshot): readonly string[] {
  const rows = [...tablesOf(snapshot).values()].map(([line]) => line)
  return rows
    .flatMap((line) => {
      if (line?.row === 'consumer') return [`${line.key.id} ${line.after?.type}`]
      if (line?.row !== 'allocation') return []
      const { consumer, provider, resourceClass } = line.key
      return [`${consumer} ${provider} ${resourceClass} ${line.after?.amount}`]
    })
    .sort()
}

async function looseInTables(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ row: string }>(
    `select consumer_id || ' ' || provider_id || ' ' || resource_class || ' ' || amount as row from allocation
     union all select id || ' ' || type from consumer`,
  )
  return rows.map(({ row }) => row).sort()
}

async function sameAs(expected: Snapshot): Promise<void> {
  expect(rowsIn({ ...expected, ...(await readSnapshot(database)) })).toEqual(rowsIn(expected))
  expect(await looseInTables()).toEqual(looseIn(expected))
}

/** The first repair that touches more than its subject. */
function entangled(): Snapshot {
  for (let seed = FROM; ; seed++) {
    for (const [, fault] of FAULTS) {
      const planted = fault.plant(new FaultFleet(fleetOf(seed).snapshot, chanceOf(seed), new Set()))
      if (planted && repairIn(planted.snapshot)?.guards.furtherInstances) return planted.snapshot
    }
  }
}

function repairIn(snapshot: Snapshot): HealPart | null {
  const [planned] = planHeal(audit(snapshot), snapshot, options).filter(({ healing }) => healing.ok)
  return planned?.healing.ok ? planned.healing.part : null
}

const apply = (part: HealPart) => commit(database, changeOfPart(part, { actor: ACTOR, at: AT, plan: 'plan-1' })!)

test('a migration of another of its instances, accepted since, is a conflict of a repair', async () => {
  const start = await stored(entangled())
  const part = repairIn(start)!
  const id = part.guards.furtherInstances![0]!.id
  await acceptMigration(database, id)
  expect(await apply(part)).toMatchObject({ ok: false, conflict: { on: 'instance', id } })
})

describe.each(FAULTS)('%s', (_name, fault) => {
  test('is repaired and undone in the tables as in the model', async () => {
    const start = await stored(broken(fault))
    await sameAs(start)
    const findings = audit(start)
    const [planned] = planHeal(findings, start, options).filter(({ healing }) => healing.ok)
    if (!planned?.healing.ok) throw new Error(`nothing to heal: ${JSON.stringify(findings)}`)
    const { part } = planned.healing
    const picture = applyPart(start, part)
    if (!picture.ok) throw new Error(JSON.stringify(picture.conflict))

    expect(await apply(part)).toMatchObject({ ok: true })
    await sameAs(picture.snapshot)
    expect(await apply(part)).toMatchObject({ ok: false })
    await sameAs(picture.snapshot)
    expect(await apply(undoPart(part))).toMatchObject({ ok: true })
    await sameAs(start)
    expect(await apply(undoPart(part))).toMatchObject({ ok: false })
  })
})

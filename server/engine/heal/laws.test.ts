import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Finding, newAuditor, type Snapshot } from '../audit'
import { NO_GUARDS } from '../change'
import { decide } from '../claim'
import { apply } from '../ledger/apply'
import { ledgerOf, snapshotOfLedger } from '../ledger/ledger'
import { tablesOf } from '../ledger/tables'
import { openStep } from '../migration/changes'
import { keyOf, type Line, textOf } from '../rows'
import { type Fault, FaultFleet, type PlantedFault } from '../testing/faults'
import { chanceOf, fleetOf } from '../testing/fleet'
import { migrationId } from '../testing/hosts'
import { auditDemand } from '../testing/instances'
import { migrationOf } from '../testing/migrations'
import { NON_CLAIM_FAULTS } from '../testing/non-claim-faults'
import { ROW_FAULTS } from '../testing/row-faults'
import type { ClaimId, InstanceId } from '../words/ids'
import { applyPart } from './apply'
import { type HealPart, undoPart } from './part'
import { planHeal } from './plan'
import type { HealOptions } from './plan-words'
import { rebaseUndo } from './rebase-undo'

// Laws of audit and repair over random fleets with one to three faults. The faults share no instance and no host: two
// combined faults are a new fault, with its own test. HEAL_RUNS sets the number of fleets.

const RUNS = Number(process.env.HEAL_RUNS ?? 60)
const LIMIT_MS = 60_000 + RUNS * 300
const FAULTS = Object.entries({ ...ROW_FAULTS, ...NON_CLAIM_FAULTS })

const audit = newAuditor(auditDemand)
let next = 0
const newClaimId = () => `00000000-0000-4000-9004-${String(next++).padStart(12, '0')}` as ClaimId
const options: HealOptions = { demandFor: auditDemand, decide, newClaimId }

interface BrokenFleet {
  readonly healthy: Snapshot
  readonly snapshot: Snapshot
  readonly faults: readonly { readonly name: string; readonly fault: Fault; readonly planted: PlantedFault }[]
}

/** The first fault cycles through all of them, so that each is covered. */
function brokenFleet(seed: number): BrokenFleet {
  const chance = chanceOf(seed)
  const { snapshot: healthy } = fleetOf(seed)
  let snapshot = healthy
  const busy = new Set<string>()
  const faults: { name: string; fault: Fault; planted: PlantedFault }[] = []
  const count = 1 + chance(3)
  for (let n = 0; n < count; n++) {
    const [name, fault] = FAULTS[n === 0 ? seed % FAULTS.length : chance(FAULTS.length)]!
    // Two faults of one kind may choose the same unknown instance, and no table has a row twice.
    if (faults.some((each) => each.name === name)) continue
    const planted = fault.plant(new FaultFleet(snapshot, chance, busy))
    if (planted === null) continue
    for (const id of [...(planted.instances ?? []), ...(planted.hosts ?? []), ...(planted.near ?? [])]) busy.add(id)
    for (const id of hostsAround(planted)) busy.add(id)
    faults.push({ name, fault, planted })
    snapshot = planted.snapshot
  }
  return { healthy, snapshot, faults }
}

/**
 * Hosts where broken instances hold claims or were observed: a second fault there would hide this one, or block its
 * repair.
 */
function hostsAround({ snapshot, instances = [] }: PlantedFault): readonly string[] {
  const broken = new Set<string>(instances)
  const holding = snapshot.hosts.filter(({ holdings }) => holdings.some(({ instance }) => broken.has(instance)))
  const seeing = (snapshot.hostSurveys ?? []).filter(({ latest }) =>
    latest?.domains.some(({ instance }) => broken.has(instance)),
  )
  return [...holding.map(({ id }) => id), ...seeing.map(({ host }) => host)]
}

function isOf(finding: Finding, { fault, planted }: BrokenFleet['faults'][number]): boolean {
  if (![...fault.finds, ...(fault.also ?? [])].includes(finding.kind)) return false
  if (finding.instance !== null && planted.instances?.includes(finding.instance)) return true
  if (finding.consumers.some((each) => planted.consumers?.includes(each))) return true
  return finding.host !== null && (planted.hosts?.includes(finding.host) ?? false)
}

interface Case extends BrokenFleet {
  readonly findings: readonly Finding[]
  readonly parts: readonly HealPart[]
}

/** All laws are checked on the same fleets, so that each fleet is built once. */
const LAWS: Readonly<Record<string, (of: Case) => void>> = {
  'the audit finds nothing in a healthy fleet': ({ healthy }) => {
    expect(audit(healthy)).toEqual([])
  },
  'the audit finds every planted fault': ({ findings, faults }) => {
    for (const each of faults) {
      const found = findings.filter((finding) => isOf(finding, each)).map(({ kind }) => kind)
      expect([each.name, found]).toEqual([each.name, expect.arrayContaining([...each.fault.finds])])
    }
  },
  'the audit finds nothing else': ({ findings, faults }) => {
    expect(findings.filter((finding) => !faults.some((each) => isOf(finding, each)))).toEqual([])
  },
  'the audit after the repairs finds nothing repairable': ({ snapshot, faults }) => {
    const beyond = faults.filter(({ fault }) => !fault.heals)
    const left = audit(healed(snapshot))
    expect(left.filter((finding) => !beyond.some((each) => isOf(finding, each)))).toEqual([])
  },
  'an undone repair restores every row': ({ snapshot, parts }) => {
    const before = rowsIn(snapshot)
    for (const part of parts) {
      const done = applied(snapshot, part)
      expect(rowsIn(done)).not.toEqual(before)
      const back = applied(done, undoPart(part))
      expect(rowsIn(back)).toEqual(before)
      expect(applyPart(back, undoPart(part)).ok).toBe(false)
    }
  },
  'the repairs share no row, apply in order, and none applies twice': ({ snapshot, parts }) => {
    const rows = parts.flatMap(({ lines }) => [...new Set(lines.map(keyOf))])
    expect(new Set(rows).size).toBe(rows.length)
    const [forth, back] = [inTurn(snapshot, parts), inTurn(snapshot, [...parts].reverse())]
    expect(forth.applied).toBe(parts.length)
    // In reverse order a part may be refused, because the capacity it relied on has changed; it is never half done.
    if (back.applied === parts.length) expect(rowsIn(back.snapshot)).toEqual(rowsIn(forth.snapshot))
    for (const part of parts) expect(applyPart(forth.snapshot, part).ok).toBe(false)
  },
  'a migration accepted after the review is a conflict, whichever of its instances migrates': ({ snapshot, parts }) => {
    for (const part of parts.filter(({ locked }) => locked === null)) {
      for (const instance of touchedBy(snapshot, part)) {
        const migrating = withMigration(snapshot, instance)
        if (migrating)
          expect([part.title, instance, applyPart(migrating, part).ok]).toEqual([part.title, instance, false])
      }
    }
  },
  'a migration accepted after a repair locks its undo, or is a conflict': ({ snapshot, parts }) => {
    for (const part of parts.filter(({ locked }) => locked === null)) {
      const done = applied(snapshot, part)
      for (const instance of touchedBy(snapshot, part)) {
        const migrating = withMigration(done, instance)
        if (!migrating) continue
        const [before, after] = [done, migrating].map((of) => {
          return rebaseUndo(undoPart(part), { snapshot: of, findings: audit(of), audit })
        })
        if (before?.ok) expect([part.title, applyPart(migrating, before.part).ok]).toEqual([part.title, false])
        if (after?.ok)
          expect([part.title, after.part.locked]).toEqual([part.title, expect.stringContaining('is active')])
      }
    }
  },
  'no repair changes a row of a correct claim': ({ healthy, faults, parts }) => {
    const broken = new Set<string>(faults.flatMap(({ planted }) => planted.instances ?? []))
    const right = healthy.hosts.map((host) => {
      return { ...host, devices: [], holdings: host.holdings.filter(({ instance }) => !broken.has(instance)) }
    })
    const live = tablesOf({ ...healthy, hosts: right, instances: [], migrations: [], strayAllocations: [] })
    const named = parts.flatMap(({ lines }) => lines.map(keyOf))
    expect(named.filter((key) => live.has(key))).toEqual([])
  },
}

/** The instances whose own rows, claims or leftovers the part writes. */
function touchedBy({ hosts, migrations }: Snapshot, { lines }: HealPart): readonly InstanceId[] {
  const holdings = hosts.flatMap((host) => host.holdings)
  const byMigration = new Map(migrations.map(({ id, instance }) => [id as string, instance]))
  const made = lines.flatMap((line) => (line.row === 'claim' && line.after ? [[line.key.id, line.after.instance]] : []))
  const byClaim = new Map([...holdings.map(({ claim, instance }) => [claim, instance]), ...made] as [
    string,
    InstanceId,
  ][])
  const of = (line: Line): readonly (string | undefined)[] => {
    if (line.row === 'claim') return [line.before?.instance, line.after?.instance]
    if (line.row === 'claim-cell') return [byClaim.get(line.key.claim)]
    if (line.row === 'unit-holding') return [line.before, line.after].map((row) => byClaim.get(row?.claim ?? ''))
    if (line.row === 'allocation') return [byMigration.get(line.key.consumer) ?? line.key.consumer]
    if (line.row === 'remain') return [line.key.instance]
    return line.row === 'instance' ? [line.key.id] : []
  }
  return [...new Set(lines.flatMap(of).filter((id) => id !== undefined))] as InstanceId[]
}

/** With a migration of the instance that was just accepted; null when it has one already, or no row. */
function withMigration(snapshot: Snapshot, id: InstanceId): Snapshot | null {
  const instance = snapshot.instances.find((each) => each.id === id)
  const isMigrating = snapshot.migrations.some((each) => each.instance === id && each.step !== 'ended')
  if (!instance || isMigrating) return null
  const { flavor, host: source, generation } = instance
  const flavors = { oldFlavor: flavor, newFlavor: flavor }
  const migration = migrationOf({ id: migrationId(990), instance: id, source, target: null, step: 'claim', ...flavors })
  const accepted = apply(ledgerOf(snapshot), {
    guards: { ...NO_GUARDS, instance: { id, generation } },
    writes: [
      { do: 'insert-migration', migration },
      { do: 'put-step', step: openStep(migration) },
    ],
  })
  if (!accepted.ok) throw new Error(JSON.stringify(accepted.conflict))
  return snapshotOfLedger(accepted.ledger, snapshot)
}

const rowsIn = (snapshot: Snapshot) =>
  [...tablesOf(snapshot)].flatMap(([key, lines]) => lines.map(({ after }) => `${key} ${textOf(after)}`)).sort()

function applied(snapshot: Snapshot, part: HealPart): Snapshot {
  const applied = applyPart(snapshot, part)
  if (!applied.ok) throw new Error(JSON.stringify(applied.conflict))
  return applied.snapshot
}

function inTurn(start: Snapshot, parts: readonly HealPart[]) {
  let snapshot = start
  let count = 0
  for (const part of parts) {
    const applied = applyPart(snapshot, part)
    if (!applied.ok) continue
    snapshot = applied.snapshot
    count++
  }
  return { snapshot, applied: count }
}

const planned = (findings: readonly Finding[], snapshot: Snapshot): readonly HealPart[] =>
  planHeal(findings, snapshot, options).flatMap(({ healing }) => (healing.ok ? [healing.part] : []))

/** Plans and applies until nothing more can be repaired. */
function healed(broken: Snapshot): Snapshot {
  let snapshot = broken
  for (let round = 0; round < 6; round++) {
    const parts = planned(audit(snapshot), snapshot).filter(({ locked }) => locked === null)
    if (parts.length === 0) return snapshot
    snapshot = inTurn(snapshot, parts).snapshot
  }
  return snapshot
}

test(`every law holds on ${RUNS} random fleets`, { timeout: LIMIT_MS }, () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (seed) => {
      const broken = brokenFleet(seed)
      const findings = audit(broken.snapshot)
      const of = { ...broken, findings, parts: planned(findings, broken.snapshot) }
      for (const [name, law] of Object.entries(LAWS)) {
        try {
          law(of)
        } catch (error) {
          throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
    }),
    { numRuns: RUNS },
  )
})

test.each(FAULTS)('a planted fault is found, and repaired exactly if its kind is repairable: %s', (name, fault) => {
  for (let seed = 0; seed < 200; seed++) {
    const planted = fault.plant(new FaultFleet(fleetOf(seed).snapshot, chanceOf(seed), new Set()))
    if (planted === null) continue
    const isHealed = !audit(healed(planted.snapshot)).some((finding) => isOf(finding, { name, fault, planted }))
    expect(isHealed).toBe(fault.heals)
    return
  }
  throw new Error('no fleet of the first 200 can be broken so')
})

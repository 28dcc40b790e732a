import type { Migration, WaitReason } from '../migration/state'
import type { HostId } from '../words/ids'
import type { AuditRecords, Report } from './finding'
import { nameOf } from './running-domain-checks'
import { swapsEnd } from './swap-check'

// Conditions that are wrong only because they last. These checks need the time, and each has its limit here.

const MINUTE_MS = 60_000

/** How long each kind of waiting may last before an operator should intervene; `nothing`: it should be progressing. */
export const PATIENCE_MS: Readonly<Record<WaitReason['for'] | 'nothing', number>> = {
  slot: 60 * MINUTE_MS,
  host: 10 * MINUTE_MS,
  retry: 10 * MINUTE_MS,
  repair: 10 * MINUTE_MS,
  person: 24 * 60 * MINUTE_MS,
  nothing: 30 * MINUTE_MS,
}
const TRANSFORMING_MS = 10 * MINUTE_MS
const PROJECTION_LAG_MS = 10_000 // events reach memory well within it

type LastingCheck = (records: AuditRecords, now: number, report: Report) => void

const LASTING_CHECKS: Readonly<Record<string, LastingCheck>> = {
  'every migration makes progress': migrationsProgress,
  'nothing is held on a permanently lost host': lostHostsHoldNothing,
  'a conversion finishes': layoutsFinish,
  'memory follows the tables': memoryFollows,
  'a migration of another client ends': swapsEnd,
}

const LASTING_LIST = Object.values(LASTING_CHECKS)

export function lastingChecks(records: AuditRecords, report: Report): void {
  const { now } = records.snapshot
  if (now === undefined) return
  for (const check of LASTING_LIST) check(records, now, report)
}

/** The time of the last progress of the migration. */
export const unchangedSince = (migration: Migration): number =>
  Math.max(migration.stepSince, migration.progress?.at ?? 0)

/** True when the migration has waited longer than is usual for what it waits for. */
export function isStuck(migration: Migration, now: number): boolean {
  if (migration.step === 'ended') return false
  // The end of the confirm window confirms the migration. If that is long past, the migration is stuck.
  const since =
    migration.waiting?.for === 'person' && migration.dueAt !== null ? migration.dueAt : unchangedSince(migration)
  const patience =
    migration.waiting?.for === 'person' && migration.dueAt !== null ? 'retry' : (migration.waiting?.for ?? 'nothing')
  return now - since > PATIENCE_MS[patience]
}

function migrationsProgress(records: AuditRecords, now: number, report: Report): void {
  for (const migration of records.activeMigrationOf.values()) {
    if (!isStuck(migration, now)) continue
    const { id, instance } = migration
    const minutes = Math.floor((now - unchangedSince(migration)) / MINUTE_MS)
    const found = `${waitsFor(records, migration.waiting)}, ${minutes} min without progress`
    const host = migration.waiting?.for === 'host' ? migration.waiting.host : null
    report({ kind: 'migration-stuck', host, instance, migration: id, expected: `${migration.step} to end`, found })
  }
}

/** The named reason, in words. */
function waitsFor(records: AuditRecords, waiting: WaitReason | null): string {
  switch (waiting?.for) {
    case undefined:
      return 'no server runs it'
    case 'slot':
      return `queued at position ${waiting.place}`
    case 'host':
      return `waits for ${nameOf(records, waiting.host)}: ${waiting.why}`
    case 'person':
      return 'awaits confirm or revert'
    case 'retry':
      return `retries: ${waiting.why}`
    case 'repair':
      return `is blocked: ${waiting.why}`
    default:
      return waiting satisfies never
  }
}

// An unknown consumer is an orphan, and what an ended migration holds has its own finding.
function lostHostsHoldNothing(records: AuditRecords, now: number, report: Report): void {
  for (const host of records.snapshot.hosts) {
    if (host.status !== 'lost') continue
    for (const { consumer, consumerKind, instance, claim } of host.holdings) {
      const migration = records.activeMigrationOf.get(instance)
      if (migration && now - unchangedSince(migration) <= PATIENCE_MS.host) continue
      if (consumerKind === 'migration' && migration?.id !== consumer) continue
      if (consumerKind === 'instance' && records.instances.get(instance)?.host !== host.id) continue
      const ids = { host: host.id, instance, migration: migration?.id ?? null, consumers: [consumer], claims: [claim] }
      const expected = 'no claim on a permanently lost host'
      report({ kind: 'claim-on-lost-host', ...ids, expected, found: `a claim of the ${consumerKind}` })
    }
  }
}

function layoutsFinish(records: AuditRecords, now: number, report: Report): void {
  for (const { host, state, since, why } of records.snapshot.layouts ?? []) {
    const layout = records.hosts.get(host)?.layout
    const wrong = (expected: string, found: string) => report({ kind: 'conversion-unfinished', host, expected, found })
    if (state === 'failed') wrong('a finished conversion', why ?? 'failed')
    else if (state === 'transforming' && now - since > TRANSFORMING_MS)
      wrong('a finished conversion', 'running for too long')
    else if ((state === 'healed' || state === 'verified') && layout === 'flat') wrong('nested providers', 'flat')
  }
}

function memoryFollows(records: AuditRecords, now: number, report: Report): void {
  for (const { host, memory, tables, differsSince } of records.snapshot.projected ?? []) {
    if (memory === tables || differsSince === null || now - differsSince <= PROJECTION_LAG_MS) continue
    const found = memory === null ? 'not in memory' : `generation ${memory}`
    report({ kind: 'projection-differs', host, expected: `generation ${tables}`, found })
  }
  for (const { name: provider, host, class: resourceClass, used, held } of records.snapshot.miscounted ?? []) {
    const where = { provider, resourceClass }
    report({ kind: 'usage-mismatch', host, where, expected: `${held}`, found: `${used}` })
  }
  for (const { provider, name, memory, tables } of records.snapshot.forest ?? []) {
    const host = records.hosts.get(provider as HostId)?.id ?? null
    const lines = (generation: number | null) => (generation === null ? 'none' : `generation ${generation}`)
    const texts = { expected: `${name}: ${lines(tables)}`, found: lines(memory) }
    report({ kind: 'projection-differs', host, where: { provider }, ...texts })
  }
}

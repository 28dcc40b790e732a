import type { Instance } from '../change'
import type { Migration } from '../migration/state'
import type { Disproof } from '../proof/disproof'
import { type ConsumerClaim, disproofOf } from '../proof/migration'
import type { ConsumerId } from '../words/ids'
import { type AuditRecords, heldBy, type Report } from './finding'
import { nameOf } from './running-domain-checks'

// The proof that the conductor requires before each action, evaluated for every active migration: what would block one
// is a finding, even before it is blocked.

/** Broken laws that have their own finding: claims, and the recorded host of the instance. */
const FOUND_ELSEWHERE: readonly Disproof['law'][] = ['claims', 'home']

export function checkMigrationProofs(records: AuditRecords, report: Report): void {
  for (const migration of records.activeMigrationOf.values()) {
    const { id, instance, waiting } = migration
    const row = records.instances.get(instance)
    const contradicted = (found: string) =>
      report({
        kind: 'migration-contradicted',
        ...{ instance, migration: id, host: row?.host ?? null },
        ...{ expected: `records that fit ${migration.operation} in ${migration.step}`, found },
      })
    if (row === undefined) {
      contradicted('no such instance')
      continue
    }
    const broken = disproofNow(records, migration, row)
    if (broken === null && waiting?.for === 'repair') contradicted(waiting.why)
    if (broken !== null && !FOUND_ELSEWHERE.includes(broken.law)) contradicted(broken.why)
  }
}

/** Why the conductor refuses to run it. */
export function disproofNow(records: AuditRecords, migration: Migration, instance: Instance): Disproof | null {
  return disproofOf({
    migration,
    instance,
    heldByInstance: claimsOf(records, instance.id),
    heldByMigration: claimsOf(records, migration.id),
    nameOf: (host) => nameOf(records, host),
  })
}

/** All that one consumer holds, as a proof reads it. */
export const claimsOf = (records: AuditRecords, consumer: ConsumerId): readonly ConsumerClaim[] =>
  heldBy(records, consumer).map(({ host, holding }) => ({
    ...{ claim: holding.claim, host: host.id },
    ...{ kind: holding.consumerKind, instance: holding.instance },
  }))

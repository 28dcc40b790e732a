import type { Instance } from '../change'
import type { Migration } from '../migration/state'
import type { HostId } from '../words/ids'
import { otherSide } from '../words/side'
import { type AuditRecords, type HeldClaim, heldBy, ofHolding, type Report } from './finding'
import { checkMigrationProofs } from './proof-checks'

// What must hold between instances, migrations and their claims.

type ClaimCheck = (records: AuditRecords, report: Report) => void

export const CLAIM_CHECKS: Readonly<Record<string, ClaimCheck>> = {
  'a consumer holds one claim': oneClaimEach,
  'every claim has a consumer': noOrphans,
  'an instance has one active migration': oneMigrationEach,
  'I4 both sides of a migration are held': migrationsHoldBothSides,
  'I5 an ended migration has no claim': endedHoldNothing,
  'I5 an instance without a migration has one claim, on its host': restingHoldOne,
  'an instance is on the host that its migration records': instanceHosts,
  'a migration agrees with the other records': checkMigrationProofs,
  'a migration has one lease, not newer than its fence': leases,
  'members of an anti-affinity group stay apart': groups,
}

const names = (held: readonly HeldClaim[]) =>
  held.length === 0 ? 'nothing' : held.map(({ host }) => host.name).join(', ')
const claimsOf = (held: readonly HeldClaim[]) => held.map(({ holding }) => holding.claim)
const nameOf = (records: AuditRecords, host: HostId | null) =>
  host === null ? 'nothing' : (records.hosts.get(host)?.name ?? host)

function oneClaimEach(records: AuditRecords, report: Report): void {
  for (const [consumer, held] of records.claimsByConsumer) {
    if (held.length < 2) continue
    const ids = { instance: held[0]!.holding.instance, consumers: [consumer], claims: claimsOf(held) }
    report({ kind: 'consumer-has-two-claims', ...ids, expected: 'one claim', found: `claims on ${names(held)}` })
  }
}

function noOrphans(records: AuditRecords, report: Report): void {
  for (const [consumer, held] of records.claimsByConsumer) {
    for (const { host, holding } of held) {
      const migration = records.migrations.get(consumer as Migration['id'])
      const instance = records.instances.get(consumer as Instance['id'])
      const known = holding.consumerKind === 'instance' ? instance?.id : migration?.instance
      if (known === holding.instance) continue
      const expected = `${holding.consumerKind} ${consumer} of this instance`
      const found = `no such ${holding.consumerKind}`
      report({ kind: 'orphan-claim', host: host.id, ...ofHolding(holding), expected, found })
    }
  }
}

function oneMigrationEach(records: AuditRecords, report: Report): void {
  for (const { id, instance, step } of records.snapshot.migrations) {
    const active = records.activeMigrationOf.get(instance)
    if (step === 'ended' || active === undefined || active.id === id) continue
    const found = `${active.id} and ${id}`
    report({ kind: 'two-active-migrations', instance, migration: id, expected: 'one active migration', found })
  }
}

/** Before the claim is committed, or when a rebuild keeps its only claim, there is no second side. */
const hasOneSide = (migration: Migration) => migration.step === 'claim' || migration.keepsClaim

function migrationsHoldBothSides(records: AuditRecords, report: Report): void {
  for (const migration of records.activeMigrationOf.values()) {
    const single = hasOneSide(migration)
    const forInstance = single ? migration.source : migration[migration.direction]
    const forMigration = single ? null : migration[otherSide(migration.direction)]
    const { id, instance } = migration
    holdsExactly({ records, report, migration, host: forInstance, consumer: instance, kind: 'instance-claim-wrong' })
    holdsExactly({ records, report, migration, host: forMigration, consumer: id, kind: 'migration-claim-wrong' })
  }
}

interface Expectation {
  readonly records: AuditRecords
  readonly report: Report
  readonly migration: Migration | null
  readonly consumer: Instance['id'] | Migration['id']
  readonly host: HostId | null
  readonly kind: 'instance-claim-wrong' | 'migration-claim-wrong' | 'ended-migration-has-claim'
}

function holdsExactly({ records, report, migration, consumer, host, kind }: Expectation): void {
  const held = heldBy(records, consumer)
  const right = host === null ? held.length === 0 : held.length === 1 && held[0]!.host.id === host
  if (right) return
  report({
    kind,
    host,
    instance: migration?.instance ?? (consumer as Instance['id']),
    migration: migration?.id ?? null,
    consumers: [consumer],
    claims: claimsOf(held),
    expected: nameOf(records, host),
    found: names(held),
  })
}

function endedHoldNothing(records: AuditRecords, report: Report): void {
  for (const migration of records.snapshot.migrations) {
    if (migration.step !== 'ended' || heldBy(records, migration.id).length === 0) continue
    holdsExactly({ records, report, migration, host: null, consumer: migration.id, kind: 'ended-migration-has-claim' })
  }
}

function restingHoldOne(records: AuditRecords, report: Report): void {
  for (const { id, host } of records.snapshot.instances) {
    if (records.activeMigrationOf.has(id)) continue
    holdsExactly({ records, report, migration: null, host, consumer: id, kind: 'instance-claim-wrong' })
  }
}

function instanceHosts(records: AuditRecords, report: Report): void {
  for (const migration of records.activeMigrationOf.values()) {
    const instance = records.instances.get(migration.instance)
    const home = migration[migration.home]
    // A migration without an instance has other findings than a wrong current host.
    if (instance === undefined || instance.host === home) continue
    const [expected, found] = [nameOf(records, home), nameOf(records, instance.host)]
    report({ kind: 'instance-host-wrong', instance: migration.instance, migration: migration.id, expected, found })
  }
}

function leases(records: AuditRecords, report: Report): void {
  const driven = new Set<string>()
  for (const { migration: id, owner, fence } of records.snapshot.leases ?? []) {
    const migration = records.migrations.get(id)
    const instance = migration?.instance ?? null
    const wrong = (expected: string, found: string) =>
      report({ kind: 'lease-wrong', instance, migration: id, expected, found })
    if (migration === undefined) wrong('a known migration', owner)
    else if (fence > migration.fence) wrong(`fence ${migration.fence} at most`, `${fence}`)
    if (driven.has(id)) wrong('one driver', `also ${owner}`)
    driven.add(id)
  }
}

// A member counts on every host where it holds a claim, as in the decision; so parallel migrations cannot meet either.
function groups(records: AuditRecords, report: Report): void {
  for (const group of records.snapshot.groups ?? []) {
    if (group.policy !== 'anti-affinity') continue
    for (const host of records.snapshot.hosts) {
      const its = host.holdings.filter(({ instance }) => records.instances.get(instance)?.group === group.id)
      const members = new Set(its.map(({ instance }) => instance))
      if (members.size <= group.maxPerHost) continue
      const expected = `at most ${group.maxPerHost} members`
      report({ kind: 'group-broken', host: host.id, consumers: [...members], expected, found: `${members.size}` })
    }
  }
}

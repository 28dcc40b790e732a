import type { Candidate, CandidateRequest, InFlight, InstanceView, MigrationView } from '../../conductor/effects'
import type { Snapshot } from '../../engine/audit'
import type { Change, ChangeResult } from '../../engine/change'
import type { Group } from '../../engine/demand'
import type { Holding, Host } from '../../engine/host'
import { type AppliedChange, apply } from '../../engine/ledger/apply'
import {
  claimsHeld,
  draftOf,
  type GroupRow,
  type LedgerDraft,
  type Leftover,
  ledgerOf,
} from '../../engine/ledger/ledger'
import { IN_FLIGHT_STEPS, loadsSource } from '../../engine/migration/operations'
import type { Migration, StepRecord } from '../../engine/migration/state'
import type { ConsumerClaim } from '../../engine/proof/migration'
import type { ConsumerId, GroupId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Ledger } from './ledger'

// The store in memory. `apply` applies a change to the rows, as PostgreSQL does to its tables.

interface LeaseRow {
  readonly owner: string
  readonly until: number
}

export class MemoryLedger implements Ledger {
  #rows: LedgerDraft
  #leases = new Map<MigrationId, LeaseRow>()
  #snapshot: Snapshot | null = null
  /** Kinds of events in the order in which they were appended. */
  readonly events: Change['event'][] = []

  constructor(hosts: readonly Host[], groups: readonly GroupRow[] = []) {
    this.#rows = {
      ...draftOf(ledgerOf({ hosts, instances: [], migrations: [] })),
      groups: new Map(groups.map((group) => [group.id, group])),
    }
  }

  /** Writes rows as a database client does: without guard, generation or event. */
  rewrite(change: (rows: LedgerDraft) => void): void {
    const draft = draftOf(this.#rows)
    change(draft)
    this.#rows = draft
    this.#snapshot = null
  }

  /** All leftovers, by host. */
  leftovers(): LedgerDraft['leftovers'] {
    return this.#rows.leftovers
  }

  /** An independent copy with the same rows, for trying something out. */
  copy(): MemoryLedger {
    const other = new MemoryLedger([])
    other.#rows = draftOf(this.#rows)
    other.#leases = new Map(this.#leases)
    return other
  }

  commit = ({ change }: { readonly change: Change }): ChangeResult => {
    const applied = this.apply(this.#rows, change)
    if (!applied.ok) return applied
    this.#rows = applied.ledger
    this.#snapshot = null
    this.events.push(change.event)
    return { ok: true }
  }

  protected apply(rows: LedgerDraft, change: Change): AppliedChange {
    return apply(rows, change)
  }

  /** Acquiring the lease writes nothing but the lease and a higher fence (L7). */
  leaseAt: Ledger['leaseAt'] = ({ migration, owner, ttlMs, now }) => {
    const row = this.#rows.migrations.get(migration)
    if (row === undefined || row.step === 'ended') return null
    const lease = this.#leases.get(migration)
    if (lease !== undefined && lease.owner !== owner && lease.until > now) return null
    this.#leases.set(migration, { owner, until: now + ttlMs })
    const fence = this.fenceAfter(row.fence)
    this.#rows.migrations.set(migration, { ...row, fence })
    this.#snapshot = null
    return { fence }
  }

  protected fenceAfter(fence: number): number {
    return fence + 1
  }

  view = ({ migration: id }: { readonly migration: MigrationId }): MigrationView | null => {
    const migration = this.#rows.migrations.get(id)
    const instance = migration && this.#rows.instances.get(migration.instance)
    if (migration === undefined || instance === undefined) return null
    const sides = { source: this.#hostOrNull(migration.source), target: this.#hostOrNull(migration.target) }
    return {
      migration,
      instance,
      heldByInstance: this.#heldBy(instance.id),
      heldByMigration: this.#heldBy(id),
      ...sides,
      committed: sides,
      group: instance.group === null ? null : this.group({ group: instance.group, without: instance.id }),
    }
  }

  instance = ({ instance: id }: { readonly instance: InstanceId }): InstanceView | null => {
    const instance = this.#rows.instances.get(id)
    if (instance === undefined) return null
    const active = [...this.#rows.migrations.values()].find((each) => each.instance === id && each.step !== 'ended')
    return {
      instance,
      host: this.#hostOrNull(instance.host),
      held: this.#heldBy(id),
      activeMigration: active?.id ?? null,
    }
  }

  hosts = (): readonly Host[] => [...this.#rows.hosts.values()]

  host = ({ host }: { readonly host: HostId }): Host | null => this.#rows.hosts.get(host) ?? null

  candidate = ({ migration, source, target }: CandidateRequest): Candidate => ({
    source: this.#hostOrNull(source),
    target: this.#hostOrNull(target),
    inFlight: this.inFlight({ migration }),
  })

  group = ({ group: id, without }: { readonly group: GroupId; readonly without: InstanceId }): Group | null => {
    const row = this.#rows.groups.get(id)
    if (row === undefined) return null
    const memberHosts = this.hosts().flatMap((host) => {
      const members = new Set(host.holdings.filter((each) => this.#isMember(each, id, without)).map((h) => h.instance))
      return [...members].map(() => host.id)
    })
    return { ...row, memberHosts }
  }

  inFlight = ({ migration: id }: { readonly migration: MigrationId }): InFlight => {
    const all = [...this.#rows.migrations.values()]
    const moving = all.filter((each) => IN_FLIGHT_STEPS.includes(each.step) && each.id !== id)
    const own = this.#rows.migrations.get(id)
    const before = all.filter(
      (each) => each.step === 'claim' && each.waiting?.for === 'slot' && own && isEarlier(each, own),
    )
    return {
      fleet: moving.length,
      bySource: countBy(moving.map((each) => (loadsSource(each.operation) ? each.source : null))),
      byTarget: countBy(moving.map((each) => each.target)),
      queuedBefore: before.length,
    }
  }

  remains = ({ host }: { readonly host: HostId }): readonly Leftover[] => this.#rows.leftovers.get(host) ?? []

  snapshot = (): Snapshot => {
    this.#snapshot ??= {
      hosts: this.hosts(),
      instances: [...this.#rows.instances.values()],
      migrations: [...this.#rows.migrations.values()],
    }
    return this.#snapshot
  }

  steps(migration: MigrationId): readonly StepRecord[] {
    return [...this.#rows.steps.values()].filter((step) => step.migration === migration)
  }

  #hostOrNull(id: HostId | null): Host | null {
    return id === null ? null : (this.#rows.hosts.get(id) ?? null)
  }

  #heldBy(consumer: ConsumerId): readonly ConsumerClaim[] {
    return claimsHeld(this.#rows, consumer)
  }

  #isMember(holding: Holding, group: GroupId, without: InstanceId): boolean {
    return holding.instance !== without && this.#rows.instances.get(holding.instance)?.group === group
  }
}

const isEarlier = (a: Migration, b: Migration) =>
  a.id !== b.id && (a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id))

function countBy(hosts: readonly (HostId | null)[]): ReadonlyMap<HostId, number> {
  const counts = new Map<HostId, number>()
  for (const host of hosts) if (host !== null) counts.set(host, (counts.get(host) ?? 0) + 1)
  return counts
}

import type {
  AllocationChange,
  AllocationClaim,
  AllocationRecords,
  ConsumerHolding,
} from '../engine/ledger/allocations'
import type { RaisedGenerations } from '../engine/ledger/raised'
import type { Database } from '../store/database/database'
import { readClasses, readHoldings } from '../store/placement/allocation-records'
import type { ProviderForest } from './candidates-forest'
import { RecentMap } from './recent-map'

// The records in memory that claims are decided on: the forest, and the consumers named so far. Both may be slightly
// stale: the database asserts the preconditions, and reports when they no longer hold.

const CONSUMERS_MAX = 50_000 // at least half of them are kept

export class FleetRecords implements AllocationRecords {
  readonly #database: Database
  readonly #forest: ProviderForest
  readonly #holdings = new RecentMap<ConsumerHolding>(CONSUMERS_MAX)
  readonly #driven = new Set<string>()
  /** Classes of the claims at hand that exist although no provider has inventory of them, as of the last read. */
  #bareClasses: ReadonlySet<string> = new Set()

  constructor(database: Database, forest: ProviderForest) {
    this.#database = database
    this.#forest = forest
  }

  provider = (id: string) => this.#forest.provider(id)
  hasClass = (name: string) => this.#forest.hasClass(name) || this.#bareClasses.has(name)
  holding = (consumer: string) => this.#holdings.get(consumer)
  isDriven = (consumer: string) => this.#driven.has(consumer)

  get hosts(): ReadonlySet<string> {
    return this.#forest.hosts
  }

  get foreignAllowed(): boolean {
    return this.#forest.foreignAllowed
  }

  /**
   * Allocations of these consumers that are not in memory. A consumer that the client calls new is assumed not to
   * exist; the insert checks it.
   */
  async learn(claims: readonly AllocationClaim[]): Promise<void> {
    const unknown: string[] = []
    for (const { consumers } of claims) {
      for (const { id, checked, generation } of consumers) {
        if (!(checked && generation === null) && !this.#holdings.has(id)) unknown.push(id)
      }
    }
    if (unknown.length === 0) await this.#forest.opened()
    else await Promise.all([this.#forest.opened(), this.#read(unknown)])
  }

  /** Reads everything committed, for the forest and for the objects of these claims. */
  async caughtUp(claims: readonly AllocationClaim[]): Promise<void> {
    const consumers = claims.flatMap((claim) => claim.consumers)
    for (const { id } of consumers) this.#holdings.delete(id)
    await Promise.all([this.#forest.caughtUp(), this.#read(consumers.map(({ id }) => id))])
    const named = consumers.flatMap(({ amounts }) => amounts.map(({ resourceClass }) => resourceClass))
    const bare = [...new Set(named)].filter((name) => !this.#forest.hasClass(name))
    this.#bareClasses = bare.length === 0 ? NO_CLASSES : await readClasses(this.#database.pool, bare)
  }

  /** Applies a commit of this server. */
  followed({ claims, providers, known, swaps }: AllocationChange, raised: RaisedGenerations): void {
    for (const { consumers } of claims) {
      for (const { id, amounts: lines, type: requestedType } of consumers) {
        const before = known.get(id)
        const type = requestedType ?? before?.type ?? 'unknown'
        const swappedFrom = (before ? before.swappedFrom : swaps.get(id)) ?? null
        if (lines.length === 0) this.#holdings.delete(id)
        else this.#holdings.set(id, { generation: (before?.generation ?? 0) + 1, type, lines, swappedFrom })
      }
    }
    this.#forest.followed(providers, raised)
  }

  async #read(ids: readonly string[]): Promise<void> {
    for (const { id, holding, isDriven } of await readHoldings(this.#database.pool, ids)) {
      if (holding) this.#holdings.set(id, holding)
      if (isDriven) this.#driven.add(id)
      else this.#driven.delete(id)
    }
  }
}

const NO_CLASSES: ReadonlySet<string> = new Set()

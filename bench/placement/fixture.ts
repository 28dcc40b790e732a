import { randomUUID } from 'node:crypto'
import { seeded } from '../../server/engine/testing/seeded'
import type { Chances } from './mutations'

// The objects in the random requests of compare.ts: a few providers, consumers, aggregates, classes and traits, so that
// requests collide, and the generations from the responses.

const CLASSES = ['VCPU', 'VCPU', 'VCPU', 'MEMORY_MB', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_ONE', 'CUSTOM_TWO']
const TRAITS = ['HW_CPU_X86_AVX', 'STORAGE_DISK_SSD', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_ONE', 'CUSTOM_TWO']
const LONG = 'X'.repeat(248)
/** Names of classes and traits that are invalid or barely valid. */
const ODD_NAMES = [
  ...['NONE', 'custom_one', 'CUSTOM_', 'CUSTOM_a', 'CUSTOM_É', 'CUSTOM_ONE ', 'CUSTOM ONE', 'CUSTOM_ONE;', 'VCPU2'],
  ...[`CUSTOM_${LONG}`, `CUSTOM_${LONG}X`, 'CUSTOM_1', 'CUSTOM__', 'CUSTOM_ONE%'],
]
const NO_UUIDS = ['nobody', '0', 'é', '00000000-0000-0000-0000-00000000000', 'g0000000-0000-0000-0000-000000000000']
const ODD_UUIDS = ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000000001']
const NAME_COUNT = 9

/** Provider → class → amount. */
export type Holds = Readonly<Record<string, Readonly<Record<string, number>>>>

export class PlacementFixture implements Chances {
  readonly #chance: () => number
  readonly #run: string
  readonly #generations = new Map<string, number | null>()
  readonly #stock = new Map<string, readonly string[]>()
  readonly #holds = new Map<string, Holds>()
  readonly providers: readonly string[]
  readonly aggregates: readonly string[]
  #consumers: readonly string[]

  /** A seed gives the same objects, except for provider names, which are new in each run. */
  constructor(seed: number) {
    this.#chance = seeded(seed)
    this.#run = randomUUID().slice(0, 8)
    const ids = (count: number) => Array.from({ length: count }, () => this.#uuid())
    this.providers = ids(7)
    this.#consumers = ids(5)
    this.aggregates = ids(3)
  }

  get consumers(): readonly string[] {
    return this.#consumers
  }

  #uuid(): string {
    const hex = () => this.number(0x10000).toString(16).padStart(4, '0')
    return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`
  }

  one = <T>(of: readonly T[]): T => of[this.number(of.length)] as T
  is = (part: number) => this.#chance() < part
  number = (below: number) => Math.floor(this.#chance() * below)
  several = <T>(of: () => T, most: number) => Array.from({ length: this.number(most + 1) }, of)

  /** Mostly an existing one, as far as responses showed. */
  provider = (): string => {
    if (this.is(0.02)) return this.one([...NO_UUIDS, ...ODD_UUIDS, this.#uuid()])
    return this.one(this.#stock.size > 0 && this.is(0.85) ? [...this.#stock.keys()] : this.providers)
  }
  consumer = () => (this.is(0.02) ? this.one([...NO_UUIDS, this.#uuid()]) : this.one(this.#consumers))
  aggregate = () => this.one(this.aggregates)
  resourceClass = () => this.one(this.is(0.04) ? ODD_NAMES : CLASSES)
  /** Mostly one that the provider has, as far as responses showed. */
  classOf = (provider: string): string => {
    const stock = this.#stock.get(provider) ?? []
    return stock.length > 0 && this.is(0.9) ? this.one(stock) : this.resourceClass()
  }
  trait = () => this.one(this.is(0.04) ? ODD_NAMES : TRAITS)
  name = () => `${this.#run}-${this.number(NAME_COUNT)}`

  /** Allocations of the consumer, as far as responses showed. */
  holds = (consumer: string): Holds => this.#holds.get(consumer) ?? {}
  holders = (): readonly string[] => this.#consumers.filter((each) => Object.keys(this.holds(each)).length > 0)
  stockOf = (provider: string): readonly string[] => this.#stock.get(provider) ?? []
  stockedProviders = (): readonly string[] => [...this.#stock].flatMap(([id, of]) => (of.length > 0 ? [id] : []))

  took(consumer: string, holds: Holds): void {
    this.#holds.set(consumer, holds)
  }

  /** The last reported generation. */
  knownGeneration = (of: string): number | null => this.#generations.get(of) ?? null

  /** Replaces a consumer on which the two servers no longer agree. */
  replace(consumer: string): void {
    this.#holds.delete(consumer)
    this.#consumers = this.#consumers.map((id) => (id === consumer ? this.#uuid() : id))
  }

  /** Records that the provider exists, with these classes if given. */
  stocked(provider: string, classes: readonly string[] = this.#stock.get(provider) ?? []): void {
    if (this.providers.includes(provider)) this.#stock.set(provider, classes)
  }

  gone(provider: string): void {
    this.#stock.delete(provider)
  }

  /** Mostly the last reported value. */
  generation(of: string): unknown {
    if (this.is(0.1)) return this.one([0, 1, 2, 3, -1, null, '1', 1.5, 2_147_483_648])
    return this.#generations.get(of) ?? 0
  }

  /** Mostly the last reported value; null for a consumer without allocations. */
  consumerGeneration(of: string): unknown {
    if (this.is(0.1)) return this.one([0, 1, 2, 3, -1, null, '1'])
    return this.#generations.get(of) ?? null
  }

  learn(of: string, generation: number | null): void {
    this.#generations.set(of, generation)
  }

  /** Records that a write has incremented the generation. */
  raised(of: string): void {
    this.#generations.set(of, (this.#generations.get(of) ?? 0) + 1)
  }
}

import { randomUUID } from 'node:crypto'
import { type Chances, twisted } from './placement-twists'

// The random requests of placement-compare.ts: over a small world, so that they meet each other.

const VERSIONS = 40
const TWISTED = 0.2 // of the requests have something wrong beside what they ask

/** mulberry32: the same seed asks the same. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly minor: number
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string
  /** Beside or instead of the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
}

type Making = () => Omit<Asked, 'minor'>

/** A seed asks the same but for names, which are new in each run. */
export class Asking {
  readonly #chance: () => number
  #ids: readonly string[]
  readonly #run: string

  constructor(seed: number) {
    this.#chance = chanceOf(seed)
    this.#run = randomUUID().slice(0, 8)
    const hex = () =>
      Math.floor(this.#chance() * 0x10000)
        .toString(16)
        .padStart(4, '0')
    this.#ids = Array.from(
      { length: 12 },
      () => `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`,
    )
  }

  /** Another consumer takes the place of one that the two no longer agree on. */
  replace(consumer: string): void {
    this.#ids = this.#ids.map((id) => (id === consumer ? randomUUID() : id))
  }

  /** A provider without a uuid would get another one from each server, and the two would not agree any more. */
  #named(asked: Asked): Asked {
    const { method, path, body } = asked
    if (method !== 'POST' || path.replace(/\?.*/, '') !== '/resource_providers') return asked
    if (body === null || typeof body !== 'object' || Array.isArray(body) || 'uuid' in body) return asked
    return { ...asked, body: { ...body, uuid: this.#provider() } }
  }

  get #chances(): Chances {
    return { one: (of) => this.#one(of), is: this.#is }
  }

  #one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#chance() * of.length)] as T
  }
  #is = (part: number) => this.#chance() < part
  #number = (below: number) => Math.floor(this.#chance() * below)
  #provider = () => (this.#is(0.03) ? 'nobody' : this.#one(this.#ids.slice(0, 6)))
  #consumer = () => (this.#is(0.03) ? 'nobody' : this.#one(this.#ids.slice(6, 10)))
  #aggregate = () => this.#one(this.#ids.slice(10))
  #class = () => this.#one(['VCPU', 'VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_ONE', 'CUSTOM_TWO', 'NONE'])
  #trait = () =>
    this.#one(['HW_CPU_X86_AVX', 'STORAGE_DISK_SSD', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_ONE', 'CUSTOM_TWO', 'BOGUS'])
  #generation = () => this.#one([0, 1, 2, 3, 4, 5, 6, null])
  #several = <T>(of: () => T, most: number) => Array.from({ length: this.#number(most + 1) }, of)

  #inventory() {
    const full = { total: 1 + this.#number(16), reserved: this.#number(3), min_unit: 1, max_unit: 16, step_size: 1 }
    if (this.#is(0.5)) return { total: full.total }
    if (this.#is(0.1)) return { ...full, reserved: full.total + this.#number(2) }
    if (this.#is(0.1)) return { ...full, total: this.#one<unknown>([0, -1, '5', 1.5, null]) }
    return { ...full, allocation_ratio: this.#one([1, 2, 1.5]), step_size: this.#one([1, 1, 2]) }
  }

  #resources = () =>
    Object.fromEntries([
      ...this.#several(() => [this.#class(), this.#number(5)] as const, 1),
      [this.#class(), 1 + this.#number(4)],
    ])

  #holding(minor: number) {
    const owners = minor >= 8 && !this.#is(0.05) ? { project_id: 'p', user_id: this.#one(['u', 'v']) } : {}
    const lines = this.#several(() => [this.#provider(), { resources: this.#resources() }] as const, 2)
    const allocations =
      minor >= 12
        ? Object.fromEntries(lines)
        : lines.map(([uuid, { resources }]) => ({ resource_provider: { uuid }, resources }))
    return {
      allocations,
      ...owners,
      ...(minor >= 28 && { consumer_generation: this.#one([null, null, 1, 2, 3]) }),
      ...(minor >= 38 && !this.#is(0.1) && { consumer_type: this.#one(['INSTANCE', 'MIGRATION', 'bad']) }),
    }
  }

  #inventories = () => ({
    resource_provider_generation: this.#generation(),
    inventories: Object.fromEntries(this.#several(() => [this.#class(), this.#inventory()] as const, 3)),
  })

  #traits = (minor: number) => {
    const list = [this.#trait(), ...this.#several(this.#trait, 1)].join(',')
    return `${minor >= 39 && this.#is(0.2) ? 'in:' : this.#is(0.2) ? '!' : ''}${list}`
  }

  #filters(minor: number, suffix = ''): string {
    const parts = [`resources${suffix}=${this.#class()}:${this.#one([1, 1, 2, 4, 0, 'x'])}`]
    if (this.#is(0.3)) parts.push(`required${suffix}=${this.#traits(minor)}`)
    if (this.#is(0.2)) parts.push(`member_of${suffix}=${this.#one(['', 'in:', '!', '!in:'])}${this.#aggregate()}`)
    if (this.#is(0.1)) parts.push(`in_tree${suffix}=${this.#provider()}`)
    return parts.join('&')
  }

  #candidates(minor: number): string {
    const parts = this.#is(0.7) ? [this.#filters(minor)] : []
    const suffixes = this.#is(0.4) ? ['1', '2'].slice(0, 1 + this.#number(2)) : []
    for (const suffix of suffixes) parts.push(this.#filters(minor, suffix))
    if (this.#is(0.4)) parts.push(`group_policy=${this.#one(['none', 'isolate', 'bad'])}`)
    if (this.#is(0.1)) parts.push(`root_required=${this.#traits(38)}`)
    if (this.#is(0.1)) parts.push('same_subtree=1,2')
    return parts.join('&')
  }

  next(): Asked {
    const minor = this.#is(0.5) ? VERSIONS - 1 : this.#number(VERSIONS)
    const rows = [...this.#ofProviders(minor), ...this.#ofOthers(minor)]
    const asked = { ...this.#one(rows)(), minor }
    return this.#named(this.#is(TWISTED) ? twisted(asked, this.#chances) : asked)
  }

  #ofProviders(minor: number): readonly Making[] {
    const of = `/resource_providers/${this.#provider()}`
    const generation = this.#generation()
    const name = `${this.#run}-${this.#number(7)}`
    const parent = this.#is(0.5) ? {} : { parent_provider_uuid: this.#one([null, this.#provider(), this.#provider()]) }
    return [
      () => ({ method: 'POST', path: '/resource_providers', body: { name, uuid: this.#provider(), ...parent } }),
      () => ({ method: 'POST', path: '/resource_providers', body: { name, uuid: this.#provider(), ...parent } }),
      () => ({ method: 'PUT', path: of, body: { name, ...parent } }),
      () => ({ method: this.#one(['GET', 'GET', 'DELETE']), path: of }),
      () => ({ method: 'GET', path: `/resource_providers?${this.#is(0.5) ? this.#filters(minor) : ''}` }),
      () => ({ method: 'PUT', path: `${of}/inventories`, body: this.#inventories() }),
      () => ({ method: 'PUT', path: `${of}/inventories`, body: this.#inventories() }),
      () => ({
        method: 'POST',
        path: `${of}/inventories`,
        body: { resource_class: this.#class(), ...this.#inventory() },
      }),
      () => ({
        ...{ method: 'PUT', path: `${of}/inventories/${this.#class()}` },
        body: { resource_provider_generation: generation, ...this.#inventory() },
      }),
      () => ({ method: this.#one(['GET', 'DELETE']), path: `${of}/inventories` }),
      () => ({ method: this.#one(['GET', 'DELETE']), path: `${of}/inventories/${this.#class()}` }),
      () => ({ method: 'GET', path: `${of}/${this.#one(['usages', 'allocations', 'traits', 'aggregates', 'cows'])}` }),
      () => ({
        ...{ method: 'PUT', path: `${of}/aggregates` },
        body:
          minor >= 19
            ? { aggregates: this.#several(this.#aggregate, 2), resource_provider_generation: generation }
            : this.#several(this.#aggregate, 2),
      }),
      () => ({
        ...{ method: 'PUT', path: `${of}/traits` },
        body: { traits: this.#several(this.#trait, 2), resource_provider_generation: generation },
      }),
      () => ({ method: 'DELETE', path: `${of}/traits` }),
    ]
  }

  #ofOthers(minor: number): readonly Making[] {
    return [
      () => ({ method: this.#one(['GET', 'PUT', 'PUT', 'DELETE']), path: `/traits/${this.#trait()}` }),
      () => ({
        method: 'GET',
        path: `/traits?${this.#one(['name=startswith:CUSTOM', 'associated=true', 'name=in:A', 'name=x', 'q=1'])}`,
      }),
      () => ({
        method: this.#one(['GET', 'PUT', 'PUT', 'DELETE']),
        path: `/resource_classes/${this.#class()}`,
        ...(minor < 7 && { body: { name: this.#class() } }),
      }),
      () => ({ method: 'POST', path: '/resource_classes', body: { name: this.#class() } }),
      () => ({ method: 'GET', path: '/resource_classes' }),
      () => ({ method: 'PUT', path: `/allocations/${this.#consumer()}`, body: this.#holding(minor) }),
      () => ({ method: 'PUT', path: `/allocations/${this.#consumer()}`, body: this.#holding(minor) }),
      () => ({ method: this.#one(['GET', 'GET', 'DELETE']), path: `/allocations/${this.#consumer()}` }),
      () => ({
        method: 'POST',
        path: '/allocations',
        body: Object.fromEntries(this.#several(() => [this.#consumer(), this.#holding(Math.max(minor, 12))], 2)),
      }),
      () => ({
        method: 'GET',
        path: `/usages?project_id=p${this.#one(['', '&user_id=u', '&consumer_type=INSTANCE', '&consumer_type=all', '&q=1'])}`,
      }),
      () => ({ method: 'GET', path: `/allocation_candidates?${this.#candidates(minor)}` }),
      () => ({ method: 'GET', path: `/allocation_candidates?${this.#candidates(minor)}` }),
      () => ({
        ...{ method: 'POST', path: '/reshaper' },
        body: {
          inventories: Object.fromEntries([[this.#provider(), this.#inventories()]]),
          allocations: Object.fromEntries(
            this.#several(() => [this.#consumer(), this.#holding(Math.max(minor, 30))], 1),
          ),
        },
      }),
    ]
  }
}

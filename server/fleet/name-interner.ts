import type { ForestProvider } from '../engine/resources/forest'

// Interns names. Most hosts have the same names, so each set is stored once for all of them; uses of each class or
// trait are counted, because a name in use need not be looked up.

export class NameInterner {
  readonly #sets = new Map<string, ReadonlySet<string>>()
  readonly #classes = new Counts()
  readonly #traits = new Counts()

  /** The same provider, with sets that others have too. */
  inOneWording(provider: ForestProvider): ForestProvider {
    return { ...provider, traits: this.#one(provider.traits), aggregates: this.#one(provider.aggregates) }
  }

  learn({ stocks, traits }: ForestProvider): void {
    for (const of of stocks.keys()) this.#classes.add(of, 1)
    for (const trait of traits) this.#traits.add(trait, 1)
  }

  forget({ stocks, traits }: ForestProvider): void {
    for (const of of stocks.keys()) this.#classes.add(of, -1)
    for (const trait of traits) this.#traits.add(trait, -1)
  }

  hasClass(name: string): boolean {
    return this.#classes.has(name)
  }

  hasTrait(name: string): boolean {
    return this.#traits.has(name)
  }

  #one(names: ReadonlySet<string>): ReadonlySet<string> {
    const key = [...names].join(' ')
    const known = this.#sets.get(key)
    if (known) return known
    if (this.#sets.size >= MAX_SETS) this.#sets.clear()
    this.#sets.set(key, names)
    return names
  }
}

const MAX_SETS = 10_000 // then all are dropped, so that unused ones go; those in use are interned again

class Counts {
  readonly #many = new Map<string, number>()

  add(name: string, by: 1 | -1): void {
    const many = (this.#many.get(name) ?? 0) + by
    if (many > 0) this.#many.set(name, many)
    else this.#many.delete(name)
  }

  has(name: string): boolean {
    return this.#many.has(name)
  }
}

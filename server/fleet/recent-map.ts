/**
 * The values that were set last, at most `max` and at least half as many. Two generations: deleting the oldest entry of
 * one map at each insertion would walk over all entries deleted before it, tens of thousands of them.
 */
export class RecentMap<Value> {
  readonly #max: number
  #recent = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  has(key: string): boolean {
    return this.#recent.has(key) || this.#older.has(key)
  }

  get(key: string): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key)
  }

  set(key: string, value: Value): void {
    this.#older.delete(key)
    this.#recent.set(key, value)
    if (this.#recent.size < this.#max / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  delete(key: string): void {
    this.#recent.delete(key)
    this.#older.delete(key)
  }
}

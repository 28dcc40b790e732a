import { capacityOf, type ForestProvider, type Tree } from '../../../engine/resources/forest'
import type { Candidate } from '../../../engine/resources/search'

// Candidates and summaries as JSON text. An answer repeats the same few parts, so they are joined as text; ids, classes
// and suffixes have no character that JSON would escape.

const DICT_FROM = 12
const TRAITS_FROM = 17
const ALL_CLASSES_FROM = 27
const NESTED_FROM = 29
const MAPPINGS_FROM = 34

/** Writes elements of `allocation_requests` in sequence. */
export class RequestWriter {
  readonly #minor: number
  readonly #parts: string[] = []
  /** Most candidates take the very same amounts. */
  readonly #resources = new Map<ReadonlyMap<string, number>, string>()

  constructor(minor: number) {
    this.#minor = minor
  }

  /** Everything written, separated by commas. */
  get text(): string {
    return this.#parts.join('')
  }

  write({ uses, mappings }: Candidate): void {
    const parts = this.#parts
    if (parts.length > 0) parts.push(',')
    if (this.#minor < DICT_FROM) this.#writeList(uses)
    else this.#writeDict(uses)
    if (this.#minor >= MAPPINGS_FROM) writeMappings(parts, mappings)
    parts.push('}')
  }

  #writeList(uses: Candidate['uses']): void {
    let before = '{"allocations":['
    for (const { provider, resources } of uses) {
      this.#parts.push(
        before,
        '{"resource_provider":{"uuid":"',
        provider.id,
        '"},"resources":',
        this.#text(resources),
        '}',
      )
      before = ','
    }
    this.#parts.push(']')
  }

  #writeDict(uses: Candidate['uses']): void {
    let before = '{"allocations":{"'
    for (const { provider, resources } of uses) {
      this.#parts.push(before, provider.id, '":{"resources":', this.#text(resources), '}')
      before = ',"'
    }
    this.#parts.push('}')
  }

  #text(resources: ReadonlyMap<string, number>): string {
    const known = this.#resources.get(resources)
    if (known !== undefined) return known
    const text = JSON.stringify(Object.fromEntries(resources))
    this.#resources.set(resources, text)
    return text
  }
}

function writeMappings(parts: string[], mappings: Candidate['mappings']): void {
  let before = ',"mappings":{"'
  for (const [suffix, providers] of mappings) {
    parts.push(before, suffix, '":')
    let beforeId = '["'
    for (const { id } of providers) {
      parts.push(beforeId, id)
      beforeId = '","'
    }
    parts.push('"]')
    before = ',"'
  }
  parts.push('}')
}

export interface SummaryOptions {
  readonly minor: number
  /** Requested classes; older versions show no others. */
  readonly requestedClasses: ReadonlySet<string>
}

/** Members of `provider_summaries`. From 1.29 on a summary depends on its provider alone, so those of a tree are kept. */
export class SummaryTexts {
  readonly #trees = new WeakMap<Tree, string>()

  /** For all providers of a tree, comma-separated; from 1.29 on. */
  ofTree(tree: Tree, shown: SummaryOptions): string {
    const known = this.#trees.get(tree)
    if (known !== undefined) return known
    const text = tree.providers.map((provider) => summaryText(provider, shown)).join()
    this.#trees.set(tree, text)
    return text
  }
}

export function summaryText(provider: ForestProvider, { minor, requestedClasses }: SummaryOptions): string {
  const resources = [...provider.stocks]
    .filter(([of]) => minor >= ALL_CLASSES_FROM || requestedClasses.has(of))
    .map(([of, stock]) => [of, { capacity: Math.trunc(capacityOf(stock)), used: stock.used }])
  const summary = {
    resources: Object.fromEntries(resources),
    ...(minor >= TRAITS_FROM && { traits: [...provider.traits] }),
    ...(minor >= NESTED_FROM && { parent_provider_uuid: provider.parent, root_provider_uuid: provider.root }),
  }
  return `"${provider.id}":${JSON.stringify(summary)}`
}

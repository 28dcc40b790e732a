import { capacityOf, type ForestProvider, type Tree } from '../../../engine/resources/forest'
import type { Candidate } from '../../../engine/resources/search'

// Candidates and summaries as JSON text. An answer repeats the same few parts, so they are joined as text; ids, classes
// and suffixes have no character that JSON would escape.

const DICT_FROM = 12
const TRAITS_FROM = 17
const ALL_CLASSES_FROM = 27
const NESTED_FROM = 29
const MAPPINGS_FROM = 34

/**
 * Writes elements of `allocation_requests` to the parts of a document. Joining costs time by the part, so what goes
 * together is one part, and the document is joined once.
 */
export class RequestWriter {
  readonly #minor: number
  readonly #parts: string[]
  #separator = ''
  /** What follows a provider's id. Most candidates take the very same amounts. */
  readonly #resources = new Map<ReadonlyMap<string, number>, string>()
  readonly #suffixes = new Map<string, string>()

  constructor(minor: number, parts: string[]) {
    this.#minor = minor
    this.#parts = parts
  }

  write({ uses, mappings }: Candidate): void {
    if (this.#minor < DICT_FROM) this.#writeList(uses)
    else this.#writeDict(uses)
    if (this.#minor >= MAPPINGS_FROM) this.#writeMappings(mappings)
    this.#parts.push('}')
    this.#separator = ','
  }

  #writeList(uses: Candidate['uses']): void {
    let before = `${this.#separator}{"allocations":[{"resource_provider":{"uuid":"`
    for (const { provider, resources } of uses) {
      this.#parts.push(before, provider.id, this.#amounts(resources, '"},"resources":'))
      before = ',{"resource_provider":{"uuid":"'
    }
    this.#parts.push(']')
  }

  #writeDict(uses: Candidate['uses']): void {
    let before = this.#separator === '' ? FIRST : LATER
    for (const { provider, resources } of uses) {
      this.#parts.push(before, provider.id, this.#amounts(resources, '":{"resources":'))
      before = ',"'
    }
    this.#parts.push('}')
  }

  #amounts(resources: ReadonlyMap<string, number>, before: string): string {
    const known = this.#resources.get(resources)
    if (known !== undefined) return known
    const text = `${before}${JSON.stringify(Object.fromEntries(resources))}}`
    this.#resources.set(resources, text)
    return text
  }

  #writeMappings(mappings: Candidate['mappings']): void {
    const parts = this.#parts
    let before = ',"mappings":{'
    for (const [suffix, providers] of mappings) {
      parts.push(before, this.#listOf(suffix))
      let beforeId = ''
      for (const { id } of providers) {
        parts.push(beforeId, id)
        beforeId = '","'
      }
      before = '"],'
    }
    parts.push('"]}')
  }

  #listOf(suffix: string): string {
    const known = this.#suffixes.get(suffix)
    if (known !== undefined) return known
    const text = `"${suffix}":["`
    this.#suffixes.set(suffix, text)
    return text
  }
}

const FIRST = '{"allocations":{"'
const LATER = `,${FIRST}`

export interface SummaryOptions {
  readonly minor: number
  /** Requested classes; older versions show no others. */
  readonly requestedClasses: ReadonlySet<string>
}

/** Members of `provider_summaries`. From 1.29 on a summary depends on its provider alone, so those of a tree are kept. */
export class SummaryTexts {
  readonly #trees = new WeakMap<Tree, string>()

  /** For all providers of a tree, comma-separated and in one piece; from 1.29 on. */
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

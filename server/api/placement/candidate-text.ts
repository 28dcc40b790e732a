import { capacityOf, type ForestProvider } from '../../engine/resources/forest'
import type { Candidate } from '../../engine/resources/search'

// Candidates and summaries as JSON text. An answer is made of the same few parts over and over, so they are put
// together as text; ids, classes and suffixes have no character that JSON would escape.

const DICT_FROM = 12
const TRAITS_FROM = 17
const ALL_CLASSES_FROM = 27
const NESTED_FROM = 29
const MAPPINGS_FROM = 34

/** One element of `allocation_requests`. */
export function requestText(minor: number, { amounts, mappings }: Candidate): string {
  const byProvider = resourcesByProvider(amounts)
  if (minor < DICT_FROM) {
    const rows = byProvider.map(([id, text]) => `{"resource_provider":{"uuid":"${id}"},"resources":{${text}}}`)
    return `{"allocations":[${rows.join()}]}`
  }
  const allocations = byProvider.map(([id, text]) => `"${id}":{"resources":{${text}}}`).join()
  if (minor < MAPPINGS_FROM) return `{"allocations":{${allocations}}}`
  let named = ''
  for (const [suffix, providers] of mappings) {
    named += `${named && ','}"${suffix}":["${providers.map(({ id }) => id).join('","')}"]`
  }
  return `{"allocations":{${allocations}},"mappings":{${named}}}`
}

/** Providers in the order in which something is first taken of them. */
function resourcesByProvider(amounts: Candidate['amounts']): (readonly [id: string, text: string])[] {
  const byProvider: [ForestProvider, string][] = []
  for (const { provider, of, amount } of amounts) {
    const known = byProvider.find(([each]) => each === provider)
    if (known) known[1] += `,"${of}":${amount}`
    else byProvider.push([provider, `"${of}":${amount}`])
  }
  return byProvider.map(([{ id }, text]) => [id, text])
}

export interface Shown {
  readonly minor: number
  /** Classes that were asked for; older versions show no others. */
  readonly asked: ReadonlySet<string>
}

/** Members of `provider_summaries`. From 1.29 on a summary depends on its provider alone, so it is written once. */
export class SummaryTexts {
  readonly #texts = new WeakMap<ForestProvider, string>()

  of(provider: ForestProvider, shown: Shown): string {
    if (shown.minor < NESTED_FROM) return textOf(provider, shown)
    const known = this.#texts.get(provider)
    if (known !== undefined) return known
    const text = textOf(provider, shown)
    this.#texts.set(provider, text)
    return text
  }
}

function textOf(provider: ForestProvider, { minor, asked }: Shown): string {
  const resources = [...provider.stocks]
    .filter(([of]) => minor >= ALL_CLASSES_FROM || asked.has(of))
    .map(([of, stock]) => [of, { capacity: Math.trunc(capacityOf(stock)), used: stock.used }])
  const summary = {
    resources: Object.fromEntries(resources),
    ...(minor >= TRAITS_FROM && { traits: [...provider.traits] }),
    ...(minor >= NESTED_FROM && { parent_provider_uuid: provider.parent, root_provider_uuid: provider.root }),
  }
  return `"${provider.id}":${JSON.stringify(summary)}`
}

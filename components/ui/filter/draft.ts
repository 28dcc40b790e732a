import { formatFilter, formatTerm, isQuoteOpen, parseFilter, type Term } from './grammar'

// A filter being typed: finished terms, and the text that still has the cursor.

export interface FilterDraft {
  readonly terms: readonly Term[]
  readonly draft: string
}

/** The text of both, which filters the list. */
export function textOf({ terms, draft }: FilterDraft): string {
  return [formatFilter(terms), draft].filter((part) => part !== '').join(' ')
}

/** Splits a text from elsewhere: its last plain word stays in the field as a draft. */
export function typedOf(text: string): FilterDraft {
  const terms = parseFilter(text)
  const last = terms.at(-1)
  if (!last || last.key !== null || last.not || formatTerm(last) !== last.values[0]) return { terms, draft: '' }
  return { terms: terms.slice(0, -1), draft: formatTerm(last) }
}

/** The typed state if it still matches the text; otherwise the text was changed elsewhere. */
export function typedIn(text: string, draft: string): FilterDraft {
  const rest = text.slice(0, text.length - draft.length)
  const same = text.endsWith(draft) && !isQuoteOpen(rest) && (rest === '' || draft === '' || /\s$/.test(rest))
  return same ? { terms: parseFilter(rest), draft } : typedOf(text)
}

/** The next draft; a space outside quotes finishes all terms before it. */
export function withDraft({ terms }: FilterDraft, draft: string): FilterDraft {
  if (!/\s$/.test(draft) || isQuoteOpen(draft)) return { terms, draft }
  return { terms: [...terms, ...parseFilter(draft)], draft: '' }
}

export function finished({ terms, draft }: FilterDraft): FilterDraft {
  return { terms: [...terms, ...parseFilter(draft)], draft: '' }
}

export function without({ terms, draft }: FilterDraft, index: number): FilterDraft {
  return { terms: terms.filter((_, at) => at !== index), draft }
}

/** Returns the last finished term to the field. */
export function reopened({ terms, draft }: FilterDraft): FilterDraft {
  const last = terms.at(-1)
  return last && draft === '' ? { terms: terms.slice(0, -1), draft: formatTerm(last) } : { terms, draft }
}

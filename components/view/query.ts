// What of an address belongs to a saved view. A drawer that happens to be open does not.

const KEPT = ['tab', 'view', 'by', 'q', 'sort', 'cols'] as const

/** Always in the same order, so that the same view is the same text. */
export function viewQuery(params: { get(key: string): string | null }): string {
  const kept = new URLSearchParams()
  for (const key of KEPT) {
    const value = params.get(key)
    if (value) kept.set(key, value)
  }
  return kept.toString()
}

export const addressOf = ({ path, query }: { readonly path: string; readonly query: string }) =>
  query === '' ? path : `${path}?${query}`

// The part of an address that belongs to a saved view. An open drawer does not.

const VIEW_PARAMS = ['tab', 'view', 'by', 'q', 'sort', 'cols'] as const

/** In a fixed order, so that equal views have equal text. */
export function viewQuery(params: { get(key: string): string | null }): string {
  const kept = new URLSearchParams()
  for (const key of VIEW_PARAMS) {
    const value = params.get(key)
    if (value) kept.set(key, value)
  }
  return kept.toString()
}

export const addressOf = ({ path, query }: { readonly path: string; readonly query: string }) =>
  query === '' ? path : `${path}?${query}`

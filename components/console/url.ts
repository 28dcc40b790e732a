import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs'
import { createContext, useCallback, useContext, useMemo } from 'react'
import type { PictureView } from '../ui/PictureOrTable'
import type { Sort } from '../ui/table/column'

// The address is the state of a screen. Typing and sorting replace the address; opening something adds to the history,
// so that Back closes it.

/**
 * Prefix for the address's keys. A drawer shows the same parts as a page, over a page with its own tabs and filters;
 * the prefix keeps each from reading the other's keys.
 */
export const AddressScope = createContext('')

export const useKey = (key: string) => useContext(AddressScope) + key

/**
 * Free text of a filter, written to the address on each keystroke. It must not be delayed: an address written after a
 * row was opened would cancel the navigation.
 */
export function useFilterText() {
  return useQueryState(useKey('q'), parseAsString.withDefault(''))
}

/** One value of a fixed set; absent means any. */
export function useChoice<T extends string>(key: string, values: readonly T[]) {
  return useQueryState(useKey(key), parseAsStringLiteral(values))
}

const PICTURE_VIEWS = ['picture', 'table'] as const satisfies readonly PictureView[]

/** Whether a picture is shown, as at first, or its table. */
export function usePictureView() {
  const [as, setAs] = useChoice('as', PICTURE_VIEWS)
  return [as ?? 'picture', setAs] as const
}

export function useText(key: string) {
  return useQueryState(useKey(key), parseAsString)
}

/**
 * A tab, the first by default; Back returns to the previous tab. Filter, order, columns and picked row belong to their
 * tab: another tab's list has other keys.
 */
export function useTab<T extends string>(values: readonly T[], first: T) {
  const [{ tab }, set] = useQueryStates(
    {
      tab: parseAsStringLiteral(values).withDefault(first),
      q: parseAsString,
      sort: parseAsString,
      cols: parseAsString,
      picked: parseAsString,
    },
    {
      history: 'push',
      urlKeys: {
        ...{ tab: useKey('tab'), q: useKey('q'), sort: useKey('sort'), cols: useKey('cols'), picked: useKey('picked') },
      },
    },
  )
  const open = useCallback((next: T) => void set({ tab: next, q: null, sort: null, cols: null, picked: null }), [set])
  return [tab, open] as const
}

/** Order by several columns, the first one first: `sort=zone,-memory`; a minus is descending. */
export function useSorts<By extends string>(columns: readonly By[]) {
  const parser = useMemo(() => parseAsArrayOf(sortParser(columns)), [columns])
  const [given, set] = useQueryState(useKey('sort'), parser)
  const sorts = given ?? NO_SORTS
  const onSorts = (next: readonly Sort[]) => {
    const known = next.flatMap(({ by, dir }) =>
      columns.filter((column) => column === by).map((column) => ({ by: column, dir })),
    )
    void set(known.length > 0 ? known : null)
  }
  return { sorts, onSorts }
}

const NO_SORTS: readonly never[] = []

const sortParser = <By extends string>(columns: readonly By[]) =>
  createParser<Sort & { readonly by: By }>({
    parse: (text) => {
      const name = text.startsWith('-') ? text.slice(1) : text
      const by = columns.find((column) => column === name)
      return by ? { by, dir: text.startsWith('-') ? 'desc' : 'asc' } : null
    },
    serialize: ({ by, dir }) => (dir === 'desc' ? `-${by}` : by),
    eq: (a, b) => a.by === b.by && a.dir === b.dir,
  })

/** The columns shown; null means the table's defaults. */
export function useVisibleColumns() {
  const [visibleColumns, set] = useQueryState(useKey('cols'), parseAsArrayOf(parseAsString))
  const onVisibleColumns = useCallback(
    (next: readonly string[] | null) => void set(next === null ? null : [...next]),
    [set],
  )
  return { visibleColumns, onVisibleColumns }
}

import { EmptyState } from '../../ui/Message'

interface EmptyWords {
  readonly empty: string
  readonly emptyMore: string
  readonly emptyFiltered: string
  readonly emptyFilteredMore: string
}

/** In the place of rows that are not there: there are none yet, or the filter leaves none. */
export function ListEmpty({ list, words }: { list: { readonly narrowed: boolean }; words: EmptyWords }) {
  return (
    <EmptyState title={list.narrowed ? words.emptyFiltered : words.empty}>
      {list.narrowed ? words.emptyFilteredMore : words.emptyMore}
    </EmptyState>
  )
}

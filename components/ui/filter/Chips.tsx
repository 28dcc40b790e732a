import { X } from 'lucide-react'
import { cx } from '../cx'
import { Glyph } from '../Glyph'
import { uiWords } from '../words'
import type { CheckedTerm } from './check-terms'
import { formatTerm } from './grammar'

/** The finished terms of a filter. Each is a button that removes it; terms not applied are crossed out. */
export function FilterChips(props: {
  readonly chips: readonly CheckedTerm[]
  readonly onRemove: (index: number) => void
  readonly onClear: (() => void) | null
}) {
  if (props.chips.length === 0) return null
  return (
    <ul aria-label={uiWords.filterTerms} className="m-0 flex list-none flex-wrap items-center gap-1 p-0">
      {props.chips.map(({ term, problem }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same term may be there twice, and terms have no other name
        <li key={`${index} ${formatTerm(term)}`}>
          <button
            type="button"
            aria-label={uiWords.filterRemove(formatTerm(term), problem !== null)}
            onClick={() => props.onRemove(index)}
            onKeyDown={(event) => (event.key === 'Delete' || event.key === 'Backspace') && props.onRemove(index)}
            className={cx(
              'inline-flex h-6 max-w-64 cursor-default items-center gap-1 rounded-sm px-1.5 font-mono text-xs',
              problem ? 'bg-bad-wash text-bad line-through' : 'bg-accent-wash text-ink hover:bg-hover',
            )}
          >
            {problem ? <Glyph shape="cross" /> : null}
            <span className="truncate">{formatTerm(term)}</span>
            <X size={11} aria-hidden="true" className="shrink-0 text-soft" />
          </button>
        </li>
      ))}
      {props.onClear ? (
        <li>
          <button
            type="button"
            onClick={props.onClear}
            className="cursor-default rounded-sm px-1.5 text-xs text-accent hover:underline"
          >
            {uiWords.filterClear}
          </button>
        </li>
      ) : null}
    </ul>
  )
}

'use client'
import { ListFilter } from 'lucide-react'
import { IconButton } from '../Button'
import { cx } from '../cx'
import { inputClasses } from '../field/input-classes'
import { Menu } from '../overlay/Menu'
import { uiWords } from '../words'
import { FilterChips } from './Chips'
import type { CheckedTerm, FilterKey } from './check-terms'
import { type FilterFieldProps, useFilterField } from './field'
import { formatTerm } from './grammar'
import { OptionList, optionId } from './OptionList'

/** A text filter: finished terms are chips, and completions are listed while typing. */
export function FilterField(props: FilterFieldProps) {
  const state = useFilterField(props)
  const { typed, chips, listId, completions, open, active } = state
  return (
    <div className="flex min-w-60 flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-1">
        <div className="relative w-60">
          <input
            ref={state.input}
            type="search"
            aria-label={props.label}
            aria-autocomplete="list"
            aria-controls={open ? listId : undefined}
            aria-activedescendant={open && active >= 0 ? optionId(listId, active) : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={props.label}
            value={typed.draft}
            onChange={(event) => state.type(event.target.value)}
            onKeyDown={state.onKeyDown}
            onBlur={state.close}
            onClick={() => typed.draft === '' && state.offer()}
            className={cx(inputClasses, '[&::-webkit-search-cancel-button]:hidden')}
          />
          {open ? (
            <OptionList
              id={listId}
              label={uiWords.filterNext}
              options={completions.map(({ text, label, hint }) => ({ id: text, label, hint }))}
              active={active}
              onPick={(index) => state.accept(completions[index])}
            />
          ) : null}
        </div>
        <KeyMenu keys={props.keys} onKey={state.begin} />
        <FilterChips chips={chips} onRemove={state.remove} onClear={chips.length > 1 ? state.clear : null} />
      </div>
      <Problems judged={state.judged} />
    </div>
  )
}

function KeyMenu({ keys, onKey }: { keys: readonly FilterKey[]; onKey: (key: FilterKey) => void }) {
  return (
    <Menu
      label={uiWords.filterAdd}
      trigger={
        <IconButton label={uiWords.filterAdd}>
          <ListFilter size={14} aria-hidden="true" />
        </IconButton>
      }
      entries={keys.map((key) => ({
        id: key.id,
        label: uiWords.filterKey(key.id),
        hint: key.label,
        onAction: () => onKey(key),
      }))}
    />
  )
}

function Problems({ judged }: { judged: readonly CheckedTerm[] }) {
  return (
    <div role="status" className="empty:hidden">
      {judged.map(({ term, problem }) =>
        problem ? (
          <p key={formatTerm(term)} className="m-0 max-w-xl text-xs text-bad">
            {uiWords.filterProblem(problem)}
          </p>
        ) : null,
      )}
    </div>
  )
}

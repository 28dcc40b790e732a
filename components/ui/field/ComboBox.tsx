'use client'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import { Boundary } from '../Boundary'
import { cx } from '../cx'
import { uiWords } from '../words'
import { type ComboBoxProps, choiceId, useComboBox } from './combo-box'
import { FieldFrame } from './Field'
import { inputClasses } from './input-classes'

// Loaded with the first sign of a user, or on first open.
const ChoiceList = lazy(() => import('./ChoiceList').then((code) => ({ default: code.ChoiceList })))

/**
 * One of many choices, found by typing. The field keeps the focus and names the active choice. A library's combo box
 * brings its overlays and collections to every page with one: forty times the code.
 */
export function ComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const { anchor, text, open, active, shown, more, pick, ...on } = useComboBox(props)
  const list = useId()
  return (
    <FieldFrame label={props.label} className={props.className}>
      {(field) => (
        <div ref={anchor} className="relative flex">
          <input
            {...field}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={open ? list : undefined}
            aria-activedescendant={open && active >= 0 ? choiceId(list, active) : undefined}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => on.type(event.target.value)}
            onFocus={on.offer}
            onClick={on.offer}
            onBlur={on.close}
            onKeyDown={on.keyDown}
            className={cx(inputClasses, 'pr-7')}
          />
          <ChevronDown size={13} aria-hidden="true" className="pointer-events-none absolute top-2 right-2 text-faint" />
          {open ? (
            <Boundary fallback={() => <ListMissing />}>
              <Suspense>
                <ChoiceList
                  {...{ id: list, label: props.label, anchor, shown, more, active }}
                  selected={props.value}
                  isLoading={props.choices === undefined}
                  // The list offers what this field shows: the choice has the id that the field expects.
                  onPick={(choice) => pick(shown.find(({ id }) => id === choice.id))}
                />
              </Suspense>
            </Boundary>
          ) : null}
        </div>
      )}
    </FieldFrame>
  )
}

const ListMissing = () => (
  <p role="alert" className="absolute top-full z-10 m-0 mt-1 rounded-md bg-bad-wash px-2 py-1 text-xs text-bad">
    {uiWords.renderFailure.part}. {uiWords.renderFailure.codeNext}
  </p>
)

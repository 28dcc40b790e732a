'use client'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useContext } from 'react'
import {
  Button,
  ComboBoxStateContext,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  ComboBox as RacComboBox,
  Select as RacSelect,
  SelectValue,
  Text,
} from 'react-aria-components'
import { cx } from '../cx'
import { itemClasses, popClasses } from '../overlay/pop-classes'
import { uiWords } from '../words'
import { FieldLabel, FieldNotes } from './Field'
import { inputClasses } from './input-classes'

export interface Choice<Id extends string = string> {
  readonly id: Id
  readonly label: string
  readonly detail?: string
  readonly icon?: ReactNode
}

interface Props<Id extends string> {
  readonly label: string
  readonly choices: readonly Choice<Id>[]
  readonly value: Id | null
  readonly onChange: (value: Id) => void
  readonly help?: ReactNode
  readonly placeholder?: string
  readonly className?: string
}

export function Select<Id extends string>(props: Props<Id>) {
  return (
    <RacSelect
      value={props.value}
      onChange={(key) => props.onChange(key as Id)}
      placeholder={props.placeholder ?? props.label}
      className={cx('flex min-w-0 flex-col gap-1', props.className)}
    >
      <FieldLabel>{props.label}</FieldLabel>
      <Button className={cx(inputClasses, 'flex cursor-default items-center justify-between gap-2 hover:bg-hover')}>
        <SelectValue className="min-w-0 truncate [&_[slot=description]]:hidden" />
        <ChevronDown size={13} aria-hidden="true" className="shrink-0 text-faint" />
      </Button>
      <FieldNotes help={props.help} />
      <Popover offset={4} className={cx(popClasses, 'min-w-(--trigger-width)')}>
        <ListBox className="outline-none">{props.choices.map(option)}</ListBox>
      </Popover>
    </RacSelect>
  )
}

interface ComboBoxProps<Id extends string> extends Omit<Props<Id>, 'choices'> {
  readonly choices: readonly Choice<Id>[] | undefined
  /** The value's label until its choice has loaded. */
  readonly called?: string | null
}

/** Without choices they are still loading; text typed meanwhile is matched when they arrive. */
export function ComboBox<Id extends string>({ choices, ...props }: ComboBoxProps<Id>) {
  return (
    <RacComboBox
      allowsEmptyCollection
      value={props.value}
      defaultInputValue={props.called ?? undefined}
      onChange={(key) => key !== null && props.onChange(key as Id)}
      menuTrigger="focus"
      className={cx('flex min-w-0 flex-col gap-1', props.className)}
    >
      <FieldLabel>{props.label}</FieldLabel>
      <ComboInput placeholder={props.placeholder} />
      <FieldNotes help={props.help} />
      <Popover offset={4} className={cx(popClasses, 'max-h-80 w-(--trigger-width)')}>
        <ListBox
          className="outline-none"
          renderEmptyState={() => (
            <p className="px-2 py-1 text-sm text-faint">{choices ? uiWords.noMatch : uiWords.loading}</p>
          )}
        >
          {choices?.map(option)}
        </ListBox>
      </Popover>
    </RacComboBox>
  )
}

/** Enter takes the first match of typed text, which would otherwise be cleared. */
function ComboInput({ placeholder }: { readonly placeholder: string | undefined }) {
  const state = useContext(ComboBoxStateContext)
  const takeFirst = ({ key }: KeyboardEvent) => {
    if (key !== 'Enter' || !state?.isOpen || state.inputValue.trim() === '') return
    const { selectionManager, collection, selectedItem } = state
    // With the text of its value the list shows every choice.
    if (state.inputValue === selectedItem?.textValue) return
    if (selectionManager.focusedKey === null) selectionManager.setFocusedKey(collection.getFirstKey())
  }
  return (
    <div className="relative flex" onKeyDownCapture={takeFirst}>
      <Input placeholder={placeholder} className={cx(inputClasses, 'pr-7')} />
      <Button className="absolute right-0 flex size-7 items-center justify-center text-faint">
        <ChevronDown size={13} aria-hidden="true" />
      </Button>
    </div>
  )
}

function option(choice: Choice) {
  return (
    <ListBoxItem key={choice.id} id={choice.id} textValue={choice.label} className={itemClasses}>
      <Text slot="label" className="flex items-center gap-1.5">
        {choice.icon}
        {choice.label}
      </Text>
      {choice.detail ? (
        <Text slot="description" className="text-xs font-normal text-faint">
          {choice.detail}
        </Text>
      ) : null}
    </ListBoxItem>
  )
}

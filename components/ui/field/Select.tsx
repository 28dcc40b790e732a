'use client'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as RacSelect,
  SelectValue,
  Text,
} from 'react-aria-components'
import { cx } from '../cx'
import { itemClasses, popClasses } from '../overlay/pop-classes'
import type { Choice } from './combo-box'
import { inputClasses } from './input-classes'

interface Props<Id extends string> {
  readonly label: string
  readonly choices: readonly Choice<Id>[]
  readonly value: Id | null
  readonly onChange: (value: Id) => void
  readonly help?: ReactNode
  readonly placeholder?: string
  readonly className?: string
}

/** One of a few choices, each with its explanation. Choices that are only names need no more than a PlainSelect. */
export function Select<Id extends string>(props: Props<Id>) {
  return (
    <RacSelect
      value={props.value}
      onChange={(key) => props.onChange(key as Id)}
      placeholder={props.placeholder ?? props.label}
      className={cx('flex min-w-0 flex-col gap-1', props.className)}
    >
      <Label className="text-xs font-medium text-soft">{props.label}</Label>
      <Button className={cx(inputClasses, 'flex cursor-default items-center justify-between gap-2 hover:bg-hover')}>
        <SelectValue className="min-w-0 truncate [&_[slot=description]]:hidden" />
        <ChevronDown size={13} aria-hidden="true" className="shrink-0 text-faint" />
      </Button>
      {props.help ? (
        <Text slot="description" className="text-xs text-faint">
          {props.help}
        </Text>
      ) : null}
      <Popover offset={4} className={cx(popClasses, 'min-w-(--trigger-width)')}>
        <ListBox className="outline-none">{props.choices.map(option)}</ListBox>
      </Popover>
    </RacSelect>
  )
}

function option(choice: Choice) {
  return (
    <ListBoxItem key={choice.id} id={choice.id} textValue={choice.label} className={itemClasses}>
      <Text slot="label">{choice.label}</Text>
      {choice.detail ? (
        <Text slot="description" className="text-xs font-normal text-faint">
          {choice.detail}
        </Text>
      ) : null}
    </ListBoxItem>
  )
}

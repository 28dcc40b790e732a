'use client'
import type { HTMLAttributes, ReactNode, RefObject } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import type { TooltipTriggerState } from 'react-stately/useTooltipTriggerState'

/** An open tooltip beside its button. */
export function TipBubble(props: {
  /** The id by which the button refers to it. */
  readonly named: HTMLAttributes<HTMLElement>
  readonly state: TooltipTriggerState
  readonly of: RefObject<HTMLButtonElement | null>
  readonly children: ReactNode
}) {
  return (
    <TooltipTriggerStateContext value={props.state}>
      <Tooltip
        {...props.named}
        triggerRef={props.of}
        offset={6}
        className="z-50 max-w-80 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-pop"
      >
        {props.children}
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}

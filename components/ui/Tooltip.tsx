'use client'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Focusable, Tooltip as RacTooltip, TooltipTrigger } from 'react-aria-components'

type FocusTarget = ComponentProps<typeof Focusable>['children']

// A tip repeats or explains; nothing may be known from a tip alone, because touch screens have none.

export function Tip({ tip, children, delay = 350 }: { tip: ReactNode; children: ReactElement; delay?: number }) {
  return (
    <TooltipTrigger delay={delay} closeDelay={60}>
      <Focusable>{children as FocusTarget}</Focusable>
      <TipBubble>{tip}</TipBubble>
    </TooltipTrigger>
  )
}

/** The same for a trigger that is already a React Aria button or link. */
export function ButtonTip({ tip, children }: { tip: ReactNode; children: ReactElement }) {
  return (
    <TooltipTrigger delay={350} closeDelay={60}>
      {children}
      <TipBubble>{tip}</TipBubble>
    </TooltipTrigger>
  )
}

function TipBubble({ children }: { children: ReactNode }) {
  return (
    <RacTooltip
      offset={6}
      className="z-50 max-w-80 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-pop"
    >
      {children}
    </RacTooltip>
  )
}

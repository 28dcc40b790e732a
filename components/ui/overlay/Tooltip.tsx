'use client'
import { lazy, type ReactNode, type Ref, Suspense } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { useObjectRef } from 'react-aria/useObjectRef'
import { useTooltipTrigger } from 'react-aria/useTooltipTrigger'
import { useTooltipTriggerState } from 'react-stately/useTooltipTriggerState'
import { Boundary } from '../Boundary'

// A tooltip repeats or explains; no fact may be in a tooltip alone, because touch screens have none. The code that
// places it loads while the pointer rests on the first one.

const loadBubble = () => import('./TipBubble').then((code) => ({ default: code.TipBubble }))
const TipBubble = lazy(loadBubble)

const DELAY_MS = 350

/** The props of a button with a tooltip, and the tooltip while it is open. */
export function useTip(tip: ReactNode, { delay = DELAY_MS, ref }: { delay?: number; ref?: Ref<HTMLButtonElement> }) {
  const button = useObjectRef(ref)
  const state = useTooltipTriggerState({ delay, closeDelay: 60 })
  const { triggerProps, tooltipProps } = useTooltipTrigger({}, state, button)
  const bubble = state.isOpen ? (
    <Boundary fallback={() => null}>
      <Suspense fallback={null}>
        <TipBubble named={tooltipProps} state={state} of={button}>
          {tip}
        </TipBubble>
      </Suspense>
    </Boundary>
  ) : null
  const trigger = mergeProps(triggerProps, { onPointerEnter: () => void loadBubble().catch(() => null) })
  return { button, trigger, bubble, close: () => state.close(true) }
}

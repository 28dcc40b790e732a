'use client'
import type { PointerEvent as DownEvent, ReactNode, Ref } from 'react'
import { filterDOMProps } from 'react-aria/filterDOMProps'
import { mergeProps } from 'react-aria/mergeProps'
import { useButton } from 'react-aria/useButton'
import { useHover } from 'react-aria/useHover'
import { useObjectRef } from 'react-aria/useObjectRef'
import type { ButtonProps as RacButtonProps } from 'react-aria-components'

interface PressButtonProps extends Omit<RacButtonProps, 'className' | 'children' | 'style'> {
  readonly children: ReactNode
  readonly className: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** Uses the library's hooks: its component adds a progress bar and a number formatter to every page. */
export function PressButton({ children, className, isPending = false, ref: given, ...props }: PressButtonProps) {
  const ref = useObjectRef(given)
  // A pending request is not sent again by another press, nor by Enter in a field of its form.
  const { buttonProps, isPressed } = useButton(
    isPending ? { ...props, onPress: undefined, type: 'button' } : props,
    ref,
  )
  const { hoverProps, isHovered } = useHover({ ...props, isDisabled: isPending || props.isDisabled })
  return (
    <button
      {...mergeProps(filterDOMProps(props, { global: true }), buttonProps, hoverProps, { onPointerDown: recoverPress })}
      ref={ref}
      className={className}
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      data-hovered={isHovered || undefined}
      data-pressed={(isPressed && !isPending) || undefined}
    >
      {children}
    </button>
  )
}

/** Pointer movement, in pixels, that still counts as holding still. */
const MOVE_TOLERANCE_PX = 4

/**
 * Presses the button even if it moves from under a still pointer between down and up, as when content appears above it, or
 * if a toast covers it: browsers drop such a click. A pointer that leaves the button itself still cancels the press.
 */
function recoverPress({ button, currentTarget, pointerId, clientX, clientY }: DownEvent<HTMLElement>): void {
  if (button !== 0) return
  const stop = new AbortController()
  const settle = (up: PointerEvent) => {
    if (up.pointerId !== pointerId) return
    stop.abort()
    const isStill = Math.hypot(up.clientX - clientX, up.clientY - clientY) <= MOVE_TOLERANCE_PX
    const over = up.target instanceof Element ? up.target : null
    if (up.type !== 'pointerup' || !isStill || currentTarget.contains(over)) return
    // Overlays opened by the touch, such as its menu, do not move the button. A dialog that opens over it drops the press.
    const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
    const isGone = up.clientX < left || up.clientX > right || up.clientY < top || up.clientY > bottom
    const isUnderToast = Boolean(over?.closest('[data-sonner-toaster]'))
    // After the library, which cancels its own press at this same event.
    if (isGone || isUnderToast) setTimeout(() => currentTarget.click())
  }
  for (const type of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(type, settle, { capture: true, signal: stop.signal })
}

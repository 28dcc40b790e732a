'use client'
import type { ReactNode, Ref } from 'react'
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

/** The library's button by its hooks: its component brings a progress bar and a formatter of numbers to every page. */
export function PressButton({ children, className, isPending = false, ref: given, ...props }: PressButtonProps) {
  const ref = useObjectRef(given)
  // What was sent is not sent again by another press, nor by Enter in a field of its form.
  const { buttonProps, isPressed } = useButton(
    isPending ? { ...props, onPress: undefined, type: 'button' } : props,
    ref,
  )
  const { hoverProps, isHovered } = useHover({ ...props, isDisabled: isPending || props.isDisabled })
  return (
    <button
      {...mergeProps(filterDOMProps(props, { global: true }), buttonProps, hoverProps)}
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

'use client'
import { type ReactNode, type Ref, useCallback, useMemo, useRef } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { mergeRefs } from 'react-aria/mergeRefs'
import type { ButtonProps as RacButtonProps } from 'react-aria-components'
import { cx } from './cx'
import { useTip } from './overlay/Tooltip'
import { PressButton } from './PressButton'

/** `warning` opens a dialog whose button is `danger`: red is kept for the final click. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'warning' | 'danger'

const base =
  'inline-flex items-center justify-center gap-1.5 rounded-md text-sm font-medium whitespace-nowrap select-none cursor-default motion-safe:transition-colors motion-safe:duration-100'

const badges: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-accent-fill text-on-fill border border-transparent hover:brightness-110 pressed:brightness-95',
  plain: 'bg-surface text-ink border border-edge/60 hover:bg-hover pressed:bg-sunken',
  quiet: 'text-soft border border-transparent hover:bg-hover hover:text-ink pressed:bg-sunken',
  warning: 'bg-surface text-bad border border-edge/60 hover:bg-bad-wash pressed:bg-sunken',
  danger: 'bg-bad-fill text-on-fill border border-transparent hover:brightness-110 pressed:brightness-95',
}

const sizes = { sm: 'h-6 px-2 text-xs', md: 'h-7 px-2.5' } as const

export interface ButtonProps extends Omit<RacButtonProps, 'className' | 'children' | 'isDisabled' | 'style'> {
  readonly children: ReactNode
  readonly variant?: ButtonVariant
  readonly size?: keyof typeof sizes
  /** Why it is unavailable. The button stays in the tab order, so that keyboard users reach the reason. */
  readonly disabledReason?: string | null
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'plain',
  size = 'md',
  disabledReason,
  className,
  children,
  ref,
  ...rest
}: ButtonProps) {
  const kept = usePreservedFocus()
  const both = useMemo(() => mergeRefs(ref, kept), [ref, kept])
  if (disabledReason) {
    return (
      <IdleButton reason={disabledReason} label={rest['aria-label']} className={cx(sizes[size], className)} ref={both}>
        {children}
      </IdleButton>
    )
  }
  return (
    <PressButton
      {...rest}
      ref={both}
      className={cx(base, sizes[size], badges[variant], 'pending:opacity-60', className)}
    >
      {children}
    </PressButton>
  )
}

/**
 * Enabling or disabling replaces the button's element, so that a press that began before does nothing after: what it
 * would do may not have been legible yet. This keeps the keyboard focus on it.
 */
function usePreservedFocus() {
  const had = useRef(false)
  return useCallback((element: HTMLButtonElement | null) => {
    if (element === null) return
    if (had.current) element.focus()
    return () => {
      had.current = element === document.activeElement
    }
  }, [])
}

interface IdleButtonProps {
  readonly reason: string
  readonly label?: string
  readonly className: string
  readonly children: ReactNode
  readonly ref: Ref<HTMLButtonElement>
}

function IdleButton({ reason, label, className, children, ref }: IdleButtonProps) {
  const { button, trigger, bubble } = useTip(reason, { delay: 0, ref })
  return (
    <>
      <button
        {...trigger}
        ref={button}
        type="button"
        aria-disabled="true"
        aria-label={label}
        className={cx(
          base,
          'cursor-not-allowed border border-dashed border-edge/60 bg-transparent text-faint',
          className,
        )}
      >
        {children}
      </button>
      {bubble}
    </>
  )
}

/** A square button with its text in the label and the tooltip. */
export function IconButton({
  label,
  children,
  className,
  ref,
  onKeyDown,
  ...rest
}: Omit<ButtonProps, 'disabledReason' | 'size' | 'variant'> & { label: string }) {
  const { button, trigger, bubble, close } = useTip(label, { ref })
  const onKey: RacButtonProps['onKeyDown'] = (event) => {
    close()
    // By default the library stops the propagation of key events.
    if (onKeyDown) onKeyDown(event)
    else event.continuePropagation()
  }
  return (
    <>
      <PressButton
        {...mergeProps({ ...trigger, onKeyDown: onKey }, rest)}
        ref={button}
        aria-label={label}
        className={cx(
          'inline-flex size-7 shrink-0 cursor-default items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pressed:bg-sunken',
          className,
        )}
      >
        {children}
      </PressButton>
      {bubble}
    </>
  )
}

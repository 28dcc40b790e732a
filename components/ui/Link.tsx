'use client'
import type { ReactNode } from 'react'
import { Link as RacLink } from 'react-aria-components'
import { cx } from './cx'

/** A link inside the console. It navigates through the router the shell provides, and opens in a new tab as any link. */
export function TextLink({
  href,
  children,
  className,
  label,
}: {
  href: string
  children: ReactNode
  className?: string
  label?: string
}) {
  return (
    <RacLink
      href={href}
      aria-label={label}
      className={cx(
        'rounded-sm whitespace-nowrap text-accent underline decoration-transparent underline-offset-2 hovered:decoration-current',
        className,
      )}
    >
      {children}
    </RacLink>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ href, children, primary }: { href: string; children: ReactNode; primary?: boolean }) {
  return (
    <RacLink
      href={href}
      className={cx(
        'inline-flex h-7 items-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap',
        primary
          ? 'border-transparent bg-accent-fill text-on-fill hovered:brightness-110'
          : 'border-edge/60 bg-surface text-ink hovered:bg-hover',
      )}
    >
      {children}
    </RacLink>
  )
}

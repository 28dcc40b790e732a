'use client'
import { type ComponentProps, createContext, type MouseEvent, type ReactNode, useContext } from 'react'
import { cx } from './cx'

/** Follows links without reloading the page; without it the browser does. */
export const LinkRouter = createContext<((href: string) => void) | null>(null)

/** A click without another meaning to the browser, such as a new tab. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

type PlainLinkProps = ComponentProps<'a'> & {
  readonly href: string
  /** Leads out of the console, so the browser loads the target. */
  readonly leaves?: boolean
  /** Called when this window follows it, also to the page it shows. */
  readonly onFollow?: () => void
}

/**
 * A link inside the console; opens in a new tab like any link. A bare anchor, because long lists render hundreds of
 * them per second of scrolling, and the primitive library's link took a sixth of that time.
 */
export function PlainLink({ href, children, leaves, onFollow, ...props }: PlainLinkProps) {
  const follow = useContext(LinkRouter)
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        // Following a link in a row must not pick the row.
        event.stopPropagation()
        if (!isPlain(event)) return
        onFollow?.()
        if (!follow || leaves) return
        event.preventDefault()
        follow(href)
      }}
    >
      {children}
    </a>
  )
}

/** A link styled as text. */
export function TextLink(props: { href: string; children: ReactNode; className?: string; label?: string }) {
  return (
    <PlainLink
      href={props.href}
      aria-label={props.label}
      className={cx(
        'rounded-sm whitespace-nowrap text-accent underline decoration-transparent underline-offset-2 hover:decoration-current',
        props.className,
      )}
    >
      {props.children}
    </PlainLink>
  )
}

/** A link styled as a button. */
export function ButtonLink(props: {
  readonly href: string
  readonly children: ReactNode
  readonly primary?: boolean
  readonly size?: 'sm' | 'md'
  readonly leaves?: boolean
}) {
  const { href, children, primary, size = 'md', leaves = false } = props
  return (
    <PlainLink
      href={href}
      leaves={leaves}
      className={cx(
        'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
        size === 'sm' ? 'h-6 px-2 text-xs' : 'h-7 px-2.5 text-sm',
        primary
          ? 'border-transparent bg-accent-fill text-on-fill hover:brightness-110'
          : 'border-edge/60 bg-surface text-ink hover:bg-hover',
      )}
    >
      {children}
    </PlainLink>
  )
}

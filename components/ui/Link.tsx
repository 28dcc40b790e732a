'use client'
import { type ComponentProps, createContext, type MouseEvent, type ReactNode, useContext } from 'react'
import { cx } from './cx'

/** Client-side navigation; without it links are the browser's. */
export const LinkRouter = createContext<((href: string) => void) | null>(null)

/** A click that the browser has no other use for, such as another tab. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

type PlainLinkProps = ComponentProps<'a'> & {
  readonly href: string
  /** Leads out of the console, so the browser loads what is there. */
  readonly leaves?: boolean
}

/**
 * A link inside the console; it opens in a new tab as any link. An anchor and no more, because long lists draw hundreds
 * of them in a second of scrolling, and the primitive library's link was a sixth of that time.
 */
export function PlainLink({ href, children, leaves, ...props }: PlainLinkProps) {
  const follow = useContext(LinkRouter)
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        // Who follows a link in a row has not picked the row.
        event.stopPropagation()
        if (!follow || leaves || !isPlain(event)) return
        event.preventDefault()
        follow(href)
      }}
    >
      {children}
    </a>
  )
}

/** A link that looks like one. */
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

/** A link that looks like a button. */
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

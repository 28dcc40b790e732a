'use client'
import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { cx } from '../../ui/cx'
import { PlainLink } from '../../ui/Link'
import { consoleWords } from '../words'
import { homeOf, NAV, type NavEntry } from './nav-entries'

/** `onGo`: the user chose a page, possibly the current one. */
export function Nav({ onGo }: { onGo?: () => void }) {
  const here = homeOf(usePathname())
  const scope = useId()
  return (
    <nav aria-label={consoleWords.navLabel} className="flex flex-col gap-1.5">
      {NAV.map(({ key, entries }) => (
        <div key={key}>
          {/* A group of one page needs no visible heading; a screen reader still announces the list. */}
          <p
            id={`${scope}-${key}`}
            className={cx('m-0 px-2 pb-0.5 text-2xs font-medium text-faint', entries.length === 1 && 'sr-only')}
          >
            {consoleWords.navGroups[key]}
          </p>
          <ul aria-labelledby={`${scope}-${key}`} className="m-0 flex list-none flex-col gap-px p-0">
            {entries.map((entry) => (
              <NavLink key={entry.key} entry={entry} isHere={entry === here} onGo={onGo} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/**
 * In a low window the list scrolls, and the current page could be below its end. Not by `scrollIntoView`: the next Tab
 * would begin here, and not at the skip link.
 */
function intoView(link: HTMLAnchorElement | null): void {
  const list = link?.closest('nav')?.parentElement
  if (!link || !list) return
  list.scrollTop += Math.max(0, link.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom)
}

function NavLink({ entry, isHere, onGo }: { entry: NavEntry; isHere: boolean; onGo?: () => void }) {
  const { key, href, icon: Icon } = entry
  return (
    <li>
      <PlainLink
        ref={isHere ? intoView : undefined}
        href={href}
        aria-current={isHere ? 'page' : undefined}
        onFollow={onGo}
        className={cx(
          'flex min-h-7 items-center gap-2 rounded-md px-2 text-sm leading-tight hover:bg-hover max-lg:min-h-9',
          isHere ? 'bg-hover font-medium text-ink' : 'text-soft',
        )}
      >
        <Icon size={15} aria-hidden="true" className={cx('shrink-0', isHere && 'text-accent')} />
        {consoleWords.nav[key]}
      </PlainLink>
    </li>
  )
}

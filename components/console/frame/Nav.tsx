'use client'
import {
  ArrowLeftRight,
  BookOpen,
  Boxes,
  CircleHelp,
  CircuitBoard,
  Cloud,
  FolderTree,
  Gauge,
  HeartPulse,
  History,
  LayoutGrid,
  Library,
  type LucideIcon,
  Network,
  ScrollText,
  Server,
  SlidersHorizontal,
  Truck,
  Users,
} from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { Link } from 'react-aria-components'
import { cx } from '../../ui/cx'
import { paths } from '../paths'
import { consoleWords } from '../words'

export interface NavEntry {
  readonly key: keyof typeof consoleWords.nav
  readonly href: string
  readonly icon: LucideIcon
  /** `g` and this letter open it. */
  readonly letter: string
  /** The start of addresses that belong to it and do not lie under its own. */
  readonly also?: string
}

export interface NavGroup {
  readonly key: keyof typeof consoleWords.navGroups
  readonly entries: readonly NavEntry[]
}

/** Every page of the console has its home here; the keys and the palette list the same. */
export const NAV: readonly NavGroup[] = [
  {
    key: 'fleet',
    entries: [
      { key: 'overview', href: paths.overview(), icon: LayoutGrid, letter: 'o' },
      { key: 'clouds', href: paths.clouds(), icon: Cloud, letter: 'w' },
      { key: 'tasks', href: paths.tasks(), icon: History, letter: 'k' },
    ],
  },
  {
    key: 'compute',
    entries: [
      { key: 'hosts', href: paths.hosts(), icon: Server, letter: 'h' },
      { key: 'instances', href: paths.instances(), icon: Boxes, letter: 'i' },
      { key: 'migrations', href: paths.migrations(), icon: ArrowLeftRight, letter: 'm' },
    ],
  },
  {
    key: 'placement',
    entries: [
      { key: 'providers', href: paths.providers(), icon: FolderTree, letter: 't' },
      { key: 'claims', href: paths.claims(), icon: BookOpen, letter: 'c' },
      { key: 'devices', href: paths.devices(), icon: CircuitBoard, letter: 'v' },
      { key: 'capacity', href: paths.capacity(), icon: Gauge, letter: 'p' },
    ],
  },
  {
    key: 'diagnose',
    entries: [
      { key: 'explain', href: paths.explain(), icon: CircleHelp, letter: 'e' },
      { key: 'heal', href: paths.heal(), icon: HeartPulse, letter: 'f', also: '/runbook' },
    ],
  },
  {
    key: 'plan',
    entries: [
      { key: 'drains', href: paths.drains(), icon: Truck, letter: 'd' },
      { key: 'layout', href: paths.layout(), icon: Network, letter: 'l' },
    ],
  },
  {
    key: 'administration',
    entries: [
      { key: 'catalog', href: paths.catalog(), icon: Library, letter: 'a' },
      { key: 'users', href: paths.users(), icon: Users, letter: 'u' },
      { key: 'auditLog', href: paths.auditLog(), icon: ScrollText, letter: 'j' },
      { key: 'settings', href: paths.settings(), icon: SlidersHorizontal, letter: 's' },
    ],
  },
]

export const NAV_ENTRIES: readonly NavEntry[] = NAV.flatMap(({ entries }) => entries)

/** The entry of a page: the longest address that it lies under. */
export const homeOf = (pathname: string): NavEntry | undefined =>
  NAV_ENTRIES.filter(({ href, also }) =>
    [href, also].some((start) => start && `${pathname}/`.startsWith(`${start}/`)),
  ).sort((one, other) => other.href.length - one.href.length)[0]

/** `onGo`: somebody chose a page, also the one that is open. */
export function Nav({ onGo }: { onGo?: () => void }) {
  const here = homeOf(usePathname())
  const scope = useId()
  return (
    <nav aria-label={consoleWords.navLabel} className="flex flex-col gap-2">
      {NAV.map(({ key, entries }) => (
        <div key={key}>
          {/* A single page needs no heading on the screen; a screen reader still hears which list it is in. */}
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

function NavLink({ entry, isHere, onGo }: { entry: NavEntry; isHere: boolean; onGo?: () => void }) {
  const { key, href, icon: Icon } = entry
  return (
    <li>
      <Link
        href={href}
        aria-current={isHere ? 'page' : undefined}
        onPress={onGo}
        className={cx(
          'flex min-h-7 items-center gap-2 rounded-md px-2 text-sm leading-tight hovered:bg-hover max-lg:min-h-9',
          isHere ? 'bg-hover font-medium text-ink' : 'text-soft',
        )}
      >
        <Icon size={15} aria-hidden="true" className={cx('shrink-0', isHere && 'text-accent')} />
        {consoleWords.nav[key]}
      </Link>
    </li>
  )
}

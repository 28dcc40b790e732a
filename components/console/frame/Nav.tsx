'use client'
import {
  ArrowLeftRight,
  BookOpen,
  Boxes,
  CircleHelp,
  CircuitBoard,
  FolderTree,
  Gauge,
  HeartPulse,
  LayoutGrid,
  type LucideIcon,
  Network,
  Server,
  SlidersHorizontal,
  Truck,
} from 'lucide-react'
import { usePathname } from 'next/navigation'
import { Link } from 'react-aria-components'
import { cx } from '../../ui/cx'
import { paths } from '../paths'
import { consoleWords } from '../words'

interface NavEntry {
  readonly key: keyof typeof consoleWords.nav
  readonly href: string
  readonly icon: LucideIcon
}

export const NAV: readonly NavEntry[] = [
  { key: 'overview', href: paths.overview(), icon: LayoutGrid },
  { key: 'hosts', href: paths.hosts(), icon: Server },
  { key: 'providers', href: paths.providers(), icon: FolderTree },
  { key: 'instances', href: paths.instances(), icon: Boxes },
  { key: 'migrations', href: paths.migrations(), icon: ArrowLeftRight },
  { key: 'explain', href: paths.explain(), icon: CircleHelp },
  { key: 'claims', href: paths.claims(), icon: BookOpen },
  { key: 'devices', href: paths.devices(), icon: CircuitBoard },
  { key: 'capacity', href: paths.capacity(), icon: Gauge },
  { key: 'heal', href: paths.heal(), icon: HeartPulse },
  { key: 'drains', href: paths.drains(), icon: Truck },
  { key: 'layout', href: paths.layout(), icon: Network },
  { key: 'settings', href: paths.settings(), icon: SlidersHorizontal },
]

export function Nav() {
  const here = usePathname()
  return (
    <nav aria-label={consoleWords.navLabel}>
      <ul className="m-0 flex list-none flex-col gap-0.5 p-0 max-md:flex-row">
        {NAV.map(({ key, href, icon: Icon }) => {
          const current = here === href || here.startsWith(`${href}/`)
          return (
            <li key={key}>
              <Link
                href={href}
                aria-current={current ? 'page' : undefined}
                className={cx(
                  'flex min-h-7 items-center gap-2 rounded-md px-2 text-sm leading-tight hovered:bg-hover',
                  current ? 'bg-hover font-medium text-ink' : 'text-soft',
                )}
              >
                <Icon size={15} aria-hidden="true" className={cx('shrink-0', current && 'text-accent')} />
                <span className="max-md:sr-only">{consoleWords.nav[key]}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

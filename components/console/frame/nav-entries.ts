import {
  ArrowLeftRight,
  BellRing,
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
import { paths } from '../paths'
import type { consoleWords } from '../words'

export interface NavEntry {
  readonly key: keyof typeof consoleWords.nav
  readonly href: string
  readonly icon: LucideIcon
  /** `g` and this letter open it. */
  readonly letter: string
  /** Prefix of other addresses that belong to it. */
  readonly extraPrefix?: string
}

interface NavGroup {
  readonly key: keyof typeof consoleWords.navGroups
  readonly entries: readonly NavEntry[]
}

/** Every page of the console belongs to one entry; keys and palette use the same list. */
export const NAV: readonly NavGroup[] = [
  {
    key: 'fleet',
    entries: [
      { key: 'overview', href: paths.overview(), icon: LayoutGrid, letter: 'o' },
      { key: 'alarms', href: paths.alarms(), icon: BellRing, letter: 'b' },
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
      { key: 'heal', href: paths.heal(), icon: HeartPulse, letter: 'f', extraPrefix: '/runbook' },
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

/** The entry of a page: the longest matching prefix. */
export const homeOf = (pathname: string): NavEntry | undefined =>
  NAV_ENTRIES.filter(({ href, extraPrefix }) =>
    [href, extraPrefix].some((start) => start && `${pathname}/`.startsWith(`${start}/`)),
  ).sort((one, other) => other.href.length - one.href.length)[0]

'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { CircleUser, Clock3, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { SessionView } from '@/server/api/session/router'
import { Button, IconButton } from '../../ui/Button'
import { Glyph } from '../../ui/Glyph'
import { LiveMark } from '../../ui/LiveMark'
import { Menu } from '../../ui/overlay/Menu'
import { showToast } from '../../ui/overlay/Toasts'
import { useClockZone } from '../../ui/time/zone'
import { uiWords } from '../../ui/words'
import { openFind } from '../find'
import { useLiveness } from '../live/Live'
import { paths } from '../paths'
import { signOut } from '../sign-out'
import { consoleWords } from '../words'
import { Mark } from './Mark'
import { Nav } from './Nav'
import { NavMenu } from './NavMenu'
import { ThemeSwitch } from './ThemeSwitch'

export interface SideProps {
  readonly user: { readonly name: string; readonly email: string }
  /** Null until the API has answered; parts that depend on it keep their space. */
  readonly session: SessionView | null
  /** Shown above any page. */
  readonly notice?: ReactNode
}

/** Beside the page, or above it in a narrow window. */
export function Side({ user, session }: SideProps) {
  return (
    <header className="row-span-2 flex print:hidden min-h-0 flex-col gap-2 border-r border-line bg-surface p-3 max-lg:row-span-1 max-lg:h-12 max-lg:flex-row max-lg:items-center max-lg:gap-1 max-lg:border-r-0 max-lg:border-b max-lg:px-2 max-lg:py-0">
      <NavMenu />
      <div className="flex items-center gap-2 px-1">
        <Mark />
        <span className="text-base font-semibold tracking-[-0.01em] max-[360px]:sr-only">{consoleWords.product}</span>
      </div>
      <FindButton />
      {/* In a low window the list scrolls; the live mark stays visible. */}
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 max-lg:hidden">
        <Nav />
      </div>
      {/* Rows of fixed height: it stands at the bottom, and a browser may paint it before all of it has arrived. */}
      <div className="grid grid-cols-[minmax(0,1fr)] grid-rows-[1.75rem_1.75rem_2.3125rem] gap-2 max-lg:ml-auto max-lg:flex max-lg:items-center max-lg:gap-1">
        <div className="min-h-7 max-lg:min-h-0">
          {session?.simulated ? <SimulatedMark isAll={!session.real} /> : null}
        </div>
        <div className="flex items-center justify-between pl-2">
          <Liveness />
          <ZoneSwitch />
        </div>
        <div className="flex items-center justify-between border-t border-line pt-2 max-lg:border-0 max-lg:pt-0">
          <UserMenu user={user} session={session} />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  )
}

/** Opens the palette for users who do not know its key. */
function FindButton() {
  return (
    <Button
      variant="quiet"
      onPress={openFind}
      aria-keyshortcuts="Control+K Meta+K"
      className="justify-start px-2 text-soft"
    >
      <Search size={15} aria-hidden="true" className="shrink-0" />
      <span className="max-lg:sr-only">{consoleWords.find}</span>
      <span className="ml-auto font-mono text-2xs text-faint max-lg:hidden" aria-hidden="true">
        {consoleWords.findKeys}
      </span>
    </Button>
  )
}

function ZoneSwitch() {
  const { zone, toggle } = useClockZone()
  return (
    <IconButton label={uiWords.clockZone[zone]} onPress={toggle}>
      <Clock3 size={14} aria-hidden="true" className={zone === 'local' ? 'text-accent' : undefined} />
    </IconButton>
  )
}

function SimulatedMark({ isAll }: { isAll: boolean }) {
  return (
    <p
      title={isAll ? consoleWords.simulatedTip : consoleWords.partlySimulatedTip}
      className="m-0 flex items-center gap-1.5 rounded-md bg-twice-wash px-2 py-1 text-xs text-twice"
    >
      <Glyph shape="diamond" />
      <span className="max-md:sr-only">{isAll ? consoleWords.simulated : consoleWords.partlySimulated}</span>
    </p>
  )
}

function Liveness() {
  const { state, silentMs } = useLiveness()
  return <LiveMark state={state} silentMs={silentMs} />
}

async function leave(queries: QueryClient): Promise<void> {
  if (!(await signOut(queries))) showToast('bad', consoleWords.signOutFailed)
}

function UserMenu({ user, session }: SideProps) {
  const router = useRouter()
  const queries = useQueryClient()
  const role = session ? consoleWords.role[session.role] : ''
  return (
    <Menu
      label={consoleWords.user(user.name, role)}
      trigger={
        <Button
          variant="quiet"
          className="min-w-0 px-1.5 max-lg:max-w-48"
          aria-label={consoleWords.user(user.name, role)}
        >
          <CircleUser size={14} aria-hidden="true" className="shrink-0" />
          <span className="truncate max-md:sr-only">{user.name}</span>
        </Button>
      }
      entries={[
        { id: 'role', label: role, hint: user.email },
        { id: 'account', label: consoleWords.account, onAction: () => router.push(paths.account()) },
        { id: 'out', label: consoleWords.signOut, onAction: () => void leave(queries) },
      ]}
    />
  )
}

'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { CircleUser, Clock3, Search } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { SessionView } from '@/server/api/session/router'
import { Button, IconButton } from '../../ui/Button'
import { Glyph } from '../../ui/Glyph'
import { LiveMark } from '../../ui/LiveMark'
import { Menu } from '../../ui/overlay/Menu'
import { tell } from '../../ui/overlay/Toasts'
import { SkipLink } from '../../ui/SkipLink'
import { useClockZone } from '../../ui/time/zone'
import { uiWords } from '../../ui/words'
import { openFind } from '../find'
import { useLiveness } from '../live/Live'
import { signOut } from '../sign-in'
import { consoleWords } from '../words'
import { Keys } from './Keys'
import { useLostFocus } from './lost-focus'
import { Mark } from './Mark'
import { Nav } from './Nav'
import { Preload } from './Preload'
import { TaskBar } from './TaskBar'
import { ThemeSwitch } from './ThemeSwitch'

/** The frame around every page: where one is, whether the screen can be trusted, and what moves right now. */
export function Shell({ children, ...props }: SideProps & { children: ReactNode }) {
  const content = useRef<HTMLElement>(null)
  useLostFocus(content)
  return (
    <div className="grid h-dvh grid-cols-[184px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] max-md:grid-cols-1 max-md:grid-rows-[auto_minmax(0,1fr)_auto]">
      <SkipLink to="content" />
      <Side {...props} />
      <main id="content" ref={content} tabIndex={-1} className="flex min-w-0 flex-col overflow-auto p-4 outline-none">
        {props.notice}
        {children}
      </main>
      <TaskBar />
      <Keys />
      <Preload />
    </div>
  )
}

interface SideProps {
  readonly person: { readonly name: string; readonly email: string }
  /** Null until the API has answered; what depends on it keeps its room. */
  readonly session: SessionView | null
  /** Over whatever page is open. */
  readonly notice?: ReactNode
}

function Side({ person, session }: SideProps) {
  return (
    <header className="row-span-2 flex min-h-0 flex-col gap-4 border-r border-line bg-surface p-3 max-md:row-span-1 max-md:flex-row max-md:flex-wrap max-md:items-center max-md:gap-y-1 max-md:border-r-0 max-md:border-b">
      <div className="flex items-center gap-2 px-1">
        <Mark />
        <span className="text-base font-semibold tracking-[-0.01em]">{consoleWords.product}</span>
      </div>
      <FindButton />
      <Nav />
      <div className="mt-auto flex flex-col gap-2 max-md:mt-0 max-md:ml-auto max-md:flex-row max-md:items-center max-md:gap-1">
        <div className="min-h-7">{session?.simulated ? <SimulatedMark /> : null}</div>
        <div className="flex items-center justify-between pl-2">
          <Liveness />
          <ZoneSwitch />
        </div>
        <div className="flex items-center justify-between border-t border-line pt-2 max-md:border-0 max-md:pt-0">
          <UserMenu person={person} session={session} />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  )
}

/** The palette for who does not know its key. */
function FindButton() {
  return (
    <Button
      look="quiet"
      onPress={openFind}
      aria-keyshortcuts="Control+K Meta+K"
      className="justify-start px-2 text-soft"
    >
      <Search size={15} aria-hidden="true" className="shrink-0" />
      <span className="max-md:sr-only">{consoleWords.find}</span>
      <span className="ml-auto font-mono text-2xs text-faint max-md:hidden" aria-hidden="true">
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

function SimulatedMark() {
  return (
    <p
      title={consoleWords.simulatedTip}
      className="m-0 flex items-center gap-1.5 rounded-md bg-twice-wash px-2 py-1 text-xs text-twice"
    >
      <Glyph shape="diamond" />
      <span className="max-md:sr-only">{consoleWords.simulated}</span>
    </p>
  )
}

function Liveness() {
  const { state, silentMs } = useLiveness()
  return <LiveMark state={state} silentMs={silentMs} />
}

async function leave(queries: QueryClient): Promise<void> {
  if (!(await signOut(queries))) tell('bad', consoleWords.signOutFailed)
}

function UserMenu({ person, session }: SideProps) {
  const queries = useQueryClient()
  const role = session ? consoleWords.role[session.role] : ''
  return (
    <Menu
      label={consoleWords.user(person.name, role)}
      trigger={
        <Button look="quiet" className="min-w-0 px-1.5" aria-label={consoleWords.user(person.name, role)}>
          <CircleUser size={14} aria-hidden="true" className="shrink-0" />
          <span className="truncate max-md:sr-only">{person.name}</span>
        </Button>
      }
      entries={[
        { id: 'role', label: role, hint: person.email },
        { id: 'out', label: consoleWords.signOut, onAction: () => void leave(queries) },
      ]}
    />
  )
}

'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { SkipLink } from '../../ui/SkipLink'
import { Keys } from './Keys'
import { useLostFocus } from './lost-focus'
import { Side, type SideProps } from './Side'
import { TaskBar } from './TaskBar'

/** By then the page has its data; a dialog opened a moment later should not wait for its code. */
const AFTER_MS = 4_000

/**
 * The frame around every page: location, liveness and migrations in flight. On phones and tablets the navigation is
 * behind one button. On paper there is only the page, at its full length.
 */
export function Shell({ children, ...props }: SideProps & { children: ReactNode }) {
  const content = useRef<HTMLElement>(null)
  useLostFocus(content)
  return (
    <div className="grid h-dvh grid-cols-[184px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] print:block print:h-auto max-lg:grid-cols-1 max-lg:grid-rows-[auto_minmax(0,1fr)_auto]">
      <SkipLink to="content" />
      <Side {...props} />
      <main
        id="content"
        ref={content}
        tabIndex={-1}
        // Children keep their height and the page scrolls; only a list that fills the page takes the remaining height.
        // A row reached by keyboard must not end up below a panel at the foot.
        className="flex min-w-0 flex-col overflow-auto p-4 outline-none print:overflow-visible max-md:p-3 max-lg:has-data-opened:scroll-pb-[45dvh] [&>*]:shrink-0"
      >
        {props.notice}
        {children}
      </main>
      <TaskBar />
      <Keys />
      <Preload />
    </div>
  )
}

const OVERLAYS = [
  () => import('../../ui/overlay/overlays'),
  () => import('../../ui/overlay/ConfirmForm'),
  () => import('../../ui/overlay/MenuList'),
  () => import('../../ui/field/ChoiceList'),
]
const OTHERS = [
  () => import('./KeyList'),
  () => import('../live/invalidation'),
  () => import('../../ui/table/csv'),
  () => import('../../ui/overlay/Toaster'),
  () => import('../../ui/overlay/TipBubble'),
  () => import('../../refusal/RefusalList'),
  () => import('../../host/HostActionDialog'),
  () => import('../../migration/requested-action/ActionDialog'),
  () => import('../../migration/requested-action/ActionConsequences'),
  () => import('../../power/PowerDialog'),
  () => import('../../preview/OpenPreview'),
  () => import('../../migrate/OpenMigrate'),
  () => import('../../migrate/OpenBuild'),
]
const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Preloads the overlays at the first sign of a user, who cannot open one sooner, and the rest once the page is idle, so
 * that they also open while the server is down. A failed preload is retried on open.
 */
function Preload() {
  useEffect(() => {
    const stop = new AbortController()
    const load = (codes: readonly (() => Promise<unknown>)[]) => void Promise.allSettled(codes.map((code) => code()))
    const onSign = () => {
      stop.abort()
      load(OVERLAYS)
    }
    for (const sign of SIGNS)
      window.addEventListener(sign, onSign, { passive: true, capture: true, signal: stop.signal })
    const timer = setTimeout(() => load([...OVERLAYS, ...OTHERS]), AFTER_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [])
  return null
}

'use client'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Boundary } from '../Boundary'
import { RenderFailure } from '../RenderFailure'
import { uiWords } from '../words'

// Overlays whose code loads when they open. It may never arrive, because Berth was upgraded meanwhile or the connection
// is down: then the page stays as it is, with all that was typed into it, and a notice over it offers a reload.

/** Around an overlay that is open. Closed, it must not be rendered, or the failure would outlive it. */
export const LateOverlay = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Boundary fallback={(error, again) => <OverlayFailure error={error} again={again} onClose={onClose} />}>
    <Suspense fallback={null}>{children}</Suspense>
  </Boundary>
)

/** An overlay that is rendered while it is open, and loads then. */
export function lateOverlay<Props extends { readonly onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => ({ default: await load() }))
  return function Late(props: Props) {
    return (
      <LateOverlay onClose={props.onClose}>
        <Loaded {...props} />
      </LateOverlay>
    )
  }
}

interface OverlayFailureProps {
  readonly error: Error
  readonly again: () => void
  readonly onClose: () => void
}

function OverlayFailure({ error, again, onClose }: OverlayFailureProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    box.current?.focus()
    return () => (opener as HTMLElement | null)?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it like the overlay that it stands for
    <div
      ref={box}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="fixed inset-x-4 top-[10vh] z-50 mx-auto max-w-lg rounded-md bg-raised whitespace-normal shadow-pop"
    >
      <RenderFailure title={uiWords.renderFailure.part} {...{ error, again, onClose }} />
    </div>
  )
}

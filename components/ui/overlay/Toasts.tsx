'use client'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Boundary } from '../Boundary'
import type { Tone } from '../tone'

// Requests and their results. Toasts inform and never ask; anything important is also on the page. Their code loads
// with the first one.

export interface Toast {
  readonly tone: Tone
  readonly title: string
  readonly more?: { readonly detail?: ReactNode; readonly link?: { readonly href: string; readonly label: string } }
}

const TELL = 'berth:tell'

export function showToast(tone: Tone, title: string, more?: Toast['more']): void {
  const detail: Toast = { tone, title, ...(more && { more }) }
  window.dispatchEvent(new CustomEvent(TELL, { detail }))
}

const Toaster = lazy(() => import('./Toaster').then((code) => ({ default: code.Toaster })))
const SILENT: readonly Toast[] = []

export function Toasts() {
  /** Null until the first toast. */
  const [toasts, setToasts] = useState<readonly Toast[] | null>(null)
  useEffect(() => {
    const hear = (event: Event) => setToasts((old) => [...(old ?? SILENT), (event as CustomEvent<Toast>).detail])
    window.addEventListener(TELL, hear)
    return () => window.removeEventListener(TELL, hear)
  }, [])
  const onShown = useCallback((shown: readonly Toast[]) => {
    setToasts((old) => old?.filter((each) => !shown.includes(each)) ?? null)
  }, [])
  return (
    // Without their code, the page alone shows the result.
    <Boundary fallback={() => null}>
      <Suspense fallback={null}>{toasts ? <Toaster toasts={toasts} onShown={onShown} /> : null}</Suspense>
    </Boundary>
  )
}

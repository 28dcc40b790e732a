'use client'
import { useEffect } from 'react'

/** A page has its data long before, and whoever opens a dialog a moment later should not wait for its code. */
const AFTER_MS = 4_000

/** Loads what opens over every page when the page has come to rest: then it also opens while the server is away. */
export function Preload() {
  useEffect(() => {
    const timer = setTimeout(() => {
      // What could not be loaded now is tried again when it opens.
      void Promise.allSettled([
        import('../../ui/overlay/overlays'),
        import('../../ui/overlay/ConfirmForm'),
        import('../../ui/overlay/MenuList'),
        import('../../ui/table/csv'),
        import('../../ui/overlay/Toaster'),
        import('../../ui/overlay/TipBubble'),
      ])
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return null
}

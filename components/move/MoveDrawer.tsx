'use client'
import { lazy, Suspense } from 'react'
import { useMoveDrawer } from './address'

const MovePanel = lazy(() => import('./MovePanel').then((code) => ({ default: code.MovePanel })))

/** Open on any page while the address says so, and loaded only then. */
export function MoveDrawer() {
  const address = useMoveDrawer()
  return <Suspense fallback={null}>{address.move ? <MovePanel address={address} /> : null}</Suspense>
}

'use client'
import { lazy, Suspense } from 'react'
import { useMoveDrawer } from './address'

const OpenMove = lazy(() => import('./OpenMove').then((code) => ({ default: code.OpenMove })))

/** Open on any page if the address says so; its code loads only then. */
export function MoveDrawer() {
  const address = useMoveDrawer()
  return <Suspense fallback={null}>{address.move ? <OpenMove address={address} id={address.move} /> : null}</Suspense>
}

'use client'
import { lazy, Suspense } from 'react'
import { useBuildDrawer } from './address'

const OpenBuild = lazy(() => import('./OpenBuild').then((code) => ({ default: code.OpenBuild })))

/** Open on any page if the address says so; its code loads only then. */
export function BuildDrawer() {
  const address = useBuildDrawer()
  return <Suspense fallback={null}>{address.build ? <OpenBuild address={address} /> : null}</Suspense>
}

'use client'
import { lazy, Suspense } from 'react'
import { useBuildDrawer } from './address'

const BuildPanel = lazy(() => import('./BuildPanel').then((code) => ({ default: code.BuildPanel })))

/** Open on any page while the address says so, and loaded only then. */
export function BuildDrawer() {
  const address = useBuildDrawer()
  return <Suspense fallback={null}>{address.build ? <BuildPanel address={address} /> : null}</Suspense>
}

'use client'
import { lazy, Suspense } from 'react'
import { Drawer } from '../ui/overlay/Dialog'
import { useBuildDrawer } from './address'
import { DrawerRoom } from './DrawerRoom'
import { buildWords as words } from './words'

const BuildPanel = lazy(() => import('./BuildPanel').then((code) => ({ default: code.BuildPanel })))

/** Open on any page while the address says so. The drawer stands at once; what fills it is loaded only then. */
export function BuildDrawer() {
  const address = useBuildDrawer()
  if (!address.build) return null
  return (
    <Drawer wide="work" isOpen onClose={address.close} title={words.title}>
      <Suspense fallback={<DrawerRoom />}>
        <BuildPanel address={address} />
      </Suspense>
    </Drawer>
  )
}

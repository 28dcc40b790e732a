import { lazy, Suspense } from 'react'
import { Drawer } from '../ui/overlay/Dialog'
import type { useBuildDrawer } from './address'
import { DrawerSkeleton } from './DrawerSkeleton'
import { buildWords as words } from './words'

const BuildPanel = lazy(() => import('./BuildPanel').then((code) => ({ default: code.BuildPanel })))

/** The drawer opens at once; its content may load later. */
export function OpenBuild({ address, onClose }: { address: ReturnType<typeof useBuildDrawer>; onClose: () => void }) {
  return (
    <Drawer wide="work" isOpen onClose={onClose} title={words.title}>
      <Suspense fallback={<DrawerSkeleton />}>
        <BuildPanel address={address} />
      </Suspense>
    </Drawer>
  )
}

import { lazy, Suspense } from 'react'
import { Drawer } from '../ui/overlay/Dialog'
import type { useBuildDrawer } from './address'
import { DrawerSkeleton } from './DrawerSkeleton'
import { buildWords as words } from './words'

const BuildPanel = lazy(() => import('./BuildPanel').then((code) => ({ default: code.BuildPanel })))

/** The drawer opens at once; its content may load later. */
export function OpenBuild({ address }: { address: ReturnType<typeof useBuildDrawer> }) {
  return (
    <Drawer wide="work" isOpen onClose={address.close} title={words.title}>
      <Suspense fallback={<DrawerSkeleton />}>
        <BuildPanel address={address} />
      </Suspense>
    </Drawer>
  )
}

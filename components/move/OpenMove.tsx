import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '../console/trpc'
import { operationWords } from '../step/words'
import { Drawer } from '../ui/overlay/Dialog'
import type { useMoveDrawer } from './address'
import { DrawerSkeleton } from './DrawerSkeleton'
import { moveWords as words } from './words'

const MovePanel = lazy(() => import('./MovePanel').then((code) => ({ default: code.MovePanel })))

/** The drawer opens at once; its content may load later. */
export function OpenMove({ address, id }: { address: ReturnType<typeof useMoveDrawer>; id: string }) {
  const trpc = useTRPC()
  const instance = useQuery(trpc.instance.byId.queryOptions({ id }))
  const { verb } = operationWords[address.operation ?? 'live-migrate']
  return (
    <Drawer wide="work" isOpen onClose={address.close} title={words.title(verb, instance.data?.name ?? '')}>
      <Suspense fallback={<DrawerSkeleton />}>
        <MovePanel address={address} id={id} instance={instance} />
      </Suspense>
    </Drawer>
  )
}

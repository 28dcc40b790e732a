import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '../console/trpc'
import { operationWords } from '../step/words'
import { Drawer } from '../ui/overlay/Dialog'
import type { useMigrateDrawer } from './address'
import { DrawerSkeleton } from './DrawerSkeleton'
import { migrateWords as words } from './words'

const MigratePanel = lazy(() => import('./MigratePanel').then((code) => ({ default: code.MigratePanel })))

/** The drawer opens at once; its content may load later. */
export function OpenMigrate(props: {
  readonly address: ReturnType<typeof useMigrateDrawer>
  readonly id: string
  readonly onClose: () => void
}) {
  const { address, id, onClose } = props
  const trpc = useTRPC()
  const instance = useQuery(trpc.instance.byId.queryOptions({ id }))
  const { verb } = operationWords[address.operation ?? 'live-migrate']
  return (
    <Drawer wide="work" isOpen onClose={onClose} title={words.title(verb, instance.data?.name ?? '')}>
      <Suspense fallback={<DrawerSkeleton />}>
        <MigratePanel address={address} id={id} instance={instance} />
      </Suspense>
    </Drawer>
  )
}

'use client'
import dynamic from 'next/dynamic'
import { Pending } from '../console/Failure'
import { Drawer } from '../ui/overlay/Dialog'
import { useAddHost } from './address'
import { connectionWords as words } from './words'

const AddHostPanel = dynamic(() => import('./AddHostPanel').then((code) => code.AddHostPanel), {
  loading: () => <Pending minHeight={320} />,
})

/** Open over the hosts page if the address says so; its code loads only then. */
export function AddHostDrawer() {
  const { isOpen, close } = useAddHost()
  return (
    <Drawer wide="work" isOpen={isOpen} onClose={close} title={words.title}>
      <AddHostPanel />
    </Drawer>
  )
}

'use client'
import dynamic from 'next/dynamic'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useWhyNot } from '../console/denial'
import { Pending } from '../console/Failure'
import { Button } from '../ui/Button'
import { Drawer } from '../ui/overlay/Dialog'
import { addCloudWords as words } from './words'

const AddCloudPanel = dynamic(() => import('./AddCloudPanel').then((code) => code.AddCloudPanel), {
  loading: () => <Pending minHeight={320} />,
})

/** The address holds whether the drawer is open. */
function useAddCloud() {
  const [add, set] = useQueryState('add', parseAsStringLiteral(['cloud'] as const).withOptions({ history: 'push' }))
  return { isOpen: add === 'cloud', open: () => void set('cloud'), close: () => void set(null) }
}

export function AddCloudButton() {
  const { open } = useAddCloud()
  const why = useWhyNot('addHost')
  return (
    <Button disabledReason={why} onPress={open}>
      {words.title}
    </Button>
  )
}

export function AddCloudDrawer() {
  const { isOpen, close } = useAddCloud()
  return (
    <Drawer wide="work" isOpen={isOpen} onClose={close} title={words.title}>
      <AddCloudPanel />
    </Drawer>
  )
}

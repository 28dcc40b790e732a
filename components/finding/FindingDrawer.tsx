'use client'
import dynamic from 'next/dynamic'
import { Drawer } from '../ui/overlay/Dialog'
import { useOpenFinding } from './FindingOpener'
import { findingWords as words } from './words'

const OpenedFinding = dynamic(() => import('./OpenedFinding').then((code) => code.OpenedFinding), {
  loading: () => null,
})

/** One finding, over any page. */
export function FindingDrawer() {
  const [id, open] = useOpenFinding()
  return (
    <Drawer isOpen={id !== null} onClose={() => void open(null)} title={words.one}>
      {id === null ? null : <OpenedFinding id={id} />}
    </Drawer>
  )
}

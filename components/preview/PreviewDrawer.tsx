'use client'
import { usePreviewed } from '../console/preview'
import { lateOverlay } from '../ui/overlay/LateOverlay'

const OpenPreview = lateOverlay(() => import('./OpenPreview').then((code) => code.OpenPreview))

/** Open on any page if the address says so; its code loads only then. */
export function PreviewDrawer() {
  const { previewed, close } = usePreviewed()
  return previewed ? <OpenPreview previewed={previewed} onClose={close} /> : null
}

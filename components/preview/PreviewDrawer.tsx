'use client'
import { lazy, Suspense } from 'react'
import { usePreviewed } from '../console/preview'

const OpenPreview = lazy(() => import('./OpenPreview').then((code) => ({ default: code.OpenPreview })))

/** Open on any page if the address says so; its code loads only then. */
export function PreviewDrawer() {
  const { previewed, close } = usePreviewed()
  return <Suspense fallback={null}>{previewed ? <OpenPreview previewed={previewed} onClose={close} /> : null}</Suspense>
}

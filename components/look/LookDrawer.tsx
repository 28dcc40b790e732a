'use client'
import { lazy, Suspense } from 'react'
import { useLooked } from '../console/look'

const OpenLook = lazy(() => import('./OpenLook').then((code) => ({ default: code.OpenLook })))

/** Open on any page if the address says so; its code loads only then. */
export function LookDrawer() {
  const { looked, close } = useLooked()
  return <Suspense fallback={null}>{looked ? <OpenLook looked={looked} onClose={close} /> : null}</Suspense>
}

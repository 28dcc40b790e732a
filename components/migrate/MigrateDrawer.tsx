'use client'
import { lazy, Suspense } from 'react'
import { useMigrateDrawer } from './address'

const OpenMigrate = lazy(() => import('./OpenMigrate').then((code) => ({ default: code.OpenMigrate })))

/** Open on any page if the address says so; its code loads only then. */
export function MigrateDrawer() {
  const address = useMigrateDrawer()
  return (
    <Suspense fallback={null}>{address.move ? <OpenMigrate address={address} id={address.move} /> : null}</Suspense>
  )
}

'use client'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { useMigrateDrawer } from './address'

const OpenMigrate = lateOverlay(() => import('./OpenMigrate').then((code) => code.OpenMigrate))

/** Open on any page if the address says so; its code loads only then. */
export function MigrateDrawer() {
  const address = useMigrateDrawer()
  return address.move ? <OpenMigrate address={address} id={address.move} onClose={address.close} /> : null
}

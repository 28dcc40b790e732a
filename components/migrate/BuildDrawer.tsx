'use client'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { useBuildDrawer } from './address'

const OpenBuild = lateOverlay(() => import('./OpenBuild').then((code) => code.OpenBuild))

/** Open on any page if the address says so; its code loads only then. */
export function BuildDrawer() {
  const address = useBuildDrawer()
  return address.build ? <OpenBuild address={address} onClose={address.close} /> : null
}

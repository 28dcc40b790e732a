'use client'
import dynamic from 'next/dynamic'
import { Pending } from '../console/Failure'

// Tabs load on first open: a page shows only a small part of them at first.

const loading = () => <Pending />

export const AdvisePanel = dynamic(() => import('../advice/AdvisePanel').then((code) => code.AdvisePanel), { loading })
export const EventList = dynamic(() => import('../event/EventList').then((code) => code.EventList), { loading })
export const FindingsPanel = dynamic(() => import('../finding/FindingsPanel').then((code) => code.FindingsPanel), {
  loading,
})
export const HostClaims = dynamic(() => import('../claim/HostClaims').then((code) => code.HostClaims), { loading })
export const InstanceTable = dynamic(() => import('../instance/InstanceTable').then((code) => code.InstanceTable), {
  loading,
})
export const MigrationTable = dynamic(() => import('../migration/MigrationTable').then((code) => code.MigrationTable), {
  loading,
})
export const PlaceFindings = dynamic(() => import('../finding/PlaceFindings').then((code) => code.PlaceFindings), {
  loading,
})

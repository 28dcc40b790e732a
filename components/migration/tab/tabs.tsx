'use client'
import dynamic from 'next/dynamic'
import { Pending } from '../../console/Failure'

// The tabs of a migration behind its timeline load on first open.

const loading = () => <Pending />

export const MappingTable = dynamic(() => import('../../claim/MappingTable').then((code) => code.MappingTable), {
  loading,
})
export const ClaimsTab = dynamic(() => import('./ClaimsTab').then((code) => code.ClaimsTab), { loading })
export const FactsTab = dynamic(() => import('./FactsTab').then((code) => code.FactsTab), { loading })
export const RawTab = dynamic(() => import('./RawTab').then((code) => code.RawTab), { loading })
export const TransferTab = dynamic(() => import('./TransferTab').then((code) => code.TransferTab), { loading })

'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { Copyable } from '../ui/Copyable'
import { auditLogWords as words } from './words'

const SHOWN = 12

/** The hash of the newest seal, to be stored outside Berth. */
export function Sealed() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.auditLog.sealed.queryOptions())
  if (!data) return null
  return (
    <span className="flex items-center gap-2 text-xs text-soft" title={words.sealedTip}>
      {data.hash === null ? words.noSeal : words.seals(data.seals)}
      {data.hash === null ? null : <Copyable text={data.hash} short={data.hash.slice(0, SHOWN)} />}
    </span>
  )
}

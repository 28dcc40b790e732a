'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostKind } from '@/server/api/host/view'
import { useTRPC } from '../console/trpc'
import { Badge, Tag } from '../ui/Badge'
import { kindLooks, kindTags } from './words'

/** Beside a name in a list, in the shortest words. */
export function KindTag({ kind }: { kind: HostKind }) {
  return (
    <span title={kindLooks[kind].label} className="flex shrink-0">
      <Tag tone={kindLooks[kind].tone}>{kindTags[kind]}</Tag>
    </span>
  )
}

/** The answer names all hosts but those that are simulated. */
export function KindBadge({ host }: { host: string }) {
  const trpc = useTRPC()
  const kinds = useQuery(trpc.host.kinds.queryOptions()).data
  return kinds ? <Badge look={kindLooks[kinds[host] ?? 'simulated']} /> : null
}

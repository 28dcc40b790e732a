'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostKind } from '@/server/api/host/view'
import { useTRPC } from '../console/trpc'
import { Badge } from '../ui/Badge'
import { Glyph } from '../ui/Glyph'
import { toneText } from '../ui/tone'
import { kindLooks } from './words'

/** Where there is space for a shape only: beside a name in a list. */
export function KindTag({ kind }: { kind: HostKind }) {
  const { shape, tone, label } = kindLooks[kind]
  return (
    <span role="img" aria-label={label} title={label} className={toneText[tone]}>
      <Glyph shape={shape} />
    </span>
  )
}

/** The answer names all hosts but those that are simulated. */
export function KindBadge({ host }: { host: string }) {
  const trpc = useTRPC()
  const kinds = useQuery(trpc.host.kinds.queryOptions()).data
  return kinds ? <Badge look={kindLooks[kinds[host] ?? 'simulated']} /> : null
}

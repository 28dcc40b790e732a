'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostKind } from '@/server/api/host/view'
import { useTRPC } from '../console/trpc'
import { Badge, Tag } from '../ui/Badge'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText } from '../ui/tone'
import { kindBadges, kindTags } from './words'

/** Beside a name in a list, in the shortest words; below 1536 px only the shape, so that the name fits. */
export function KindTag({ kind }: { kind: HostKind }) {
  const { label, shape, tone } = kindBadges[kind]
  return (
    <span title={label} className="flex shrink-0">
      <span className="flex max-2xl:sr-only">
        <Tag tone={tone}>{kindTags[kind]}</Tag>
      </span>
      <Glyph shape={shape} className={cx('2xl:hidden', toneText[tone])} />
    </span>
  )
}

/** The response lists all hosts except simulated ones. */
export function KindBadge({ host }: { host: string }) {
  const trpc = useTRPC()
  const kinds = useQuery(trpc.host.kinds.queryOptions()).data
  return kinds ? <Badge badge={kindBadges[kinds[host] ?? 'simulated']} /> : null
}

import type { PowerView } from '@/server/api/power/view'
import { Badge, StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { powerActionWords, powerBadges } from './words'

const detailOf = (power: PowerView | null): string | null => {
  const { request, reason, state } = power ?? {}
  if (request && !request.failed) return powerActionWords[request.action].pending
  return reason && reason !== state && reason !== 'unknown' ? reason : null
}

/** The hypervisor's power state beside the recorded one. */
export function PowerBadge({ power }: { power: PowerView | null }) {
  return <Badge badge={powerBadges[power?.state ?? 'unknown']} detail={detailOf(power)} />
}

/** The same in a row. An instance that differs from its record has the shape and tone of the problem. */
export function PowerCell({ power }: { power: PowerView | null }) {
  if (power === null) return dash
  const badge = powerBadges[power.state]
  const detail = detailOf(power)
  return (
    <span title={detail ?? undefined}>
      <StateBadge badge={power.differs ? { ...badge, shape: 'triangle', tone: 'bad' } : badge} />
    </span>
  )
}

import type { CloudActionView } from '@/server/api/cloud/action-view'
import { StateBadge } from '../../ui/Badge'
import { RelativeTime } from '../../ui/time/Clock'
import { cloudActionBadges, cloudActionLabels, cloudActionWords as words } from './words'

interface Props {
  readonly actions: readonly CloudActionView[]
  readonly named?: boolean
  /** For pages that have several of these lists. */
  readonly label?: string
}

/** Newest first, each with its requester, progress and the state read. */
export const RequestedActions = ({ actions, named, label = words.requested }: Props) =>
  actions.length === 0 ? (
    <p className="m-0 text-sm text-soft">{words.noneMore}</p>
  ) : (
    <ol aria-label={label} aria-live="polite" className="m-0 flex list-none flex-col gap-2 p-0 text-sm">
      {actions.map(({ id, verb, name, state, says, who, reason, askedAt, endedAt }) => (
        <li key={id}>
          <span className="flex flex-wrap items-baseline gap-x-2">
            <StateBadge badge={cloudActionBadges[state]} />
            <span className="font-medium">{cloudActionLabels[verb].verb}</span>
            {named ? <span>{name}</span> : null}
            <span className="text-xs text-soft">
              <RelativeTime at={endedAt ?? askedAt} />
            </span>
          </span>
          {says === null ? null : <span className="block break-words text-soft">{says}</span>}
          <span className="block break-words text-xs text-faint">{words.byline(who, reason)}</span>
        </li>
      ))}
    </ol>
  )

import type { PowerView } from '@/server/api/power/view'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { PowerBadge } from './PowerBadge'
import { powerBadges, powerWords as words } from './words'

interface PowerProps {
  readonly power: PowerView | null
  /** The recorded state of the instance as text. */
  readonly recorded: string
}

/** Everything known about the power of one instance, with its age. */
export function PowerPanel({ power, recorded }: PowerProps) {
  return (
    <Panel title={words.title}>
      <div className="flex flex-col gap-2">
        <PowerNotes power={power} recorded={recorded} />
        <KeyValue
          facts={[
            { key: words.state, value: power ? <PowerBadge power={power} /> : undefined, needs: words.never },
            { key: words.reason, value: power?.reason ?? '–' },
            { key: words.last, value: power?.last ? powerBadges[power.last].label : '–' },
            { key: words.since, value: power?.since ? <RelativeTime at={power.since} /> : '–' },
            {
              key: words.observed,
              value: power?.observedAt ? <RelativeTime at={power.observedAt} /> : undefined,
              needs: words.never,
            },
            {
              key: words.request,
              value:
                power?.request && !power.request.failed
                  ? uiWords.list([words.pending(power.request.action, power.request.who)])
                  : '–',
            },
          ]}
        />
      </div>
    </Panel>
  )
}

/** Warnings before acting: the last request failed, or records and hypervisor differ. */
export function PowerNotes({ power, recorded }: PowerProps) {
  const failed = power?.request?.failed
  if (failed && power?.request) {
    return (
      <Note tone="bad" shape="cross">
        {words.failed(power.request.action, failed.why)} <RelativeTime at={failed.at} />
      </Note>
    )
  }
  if (!power?.differs) return null
  return (
    <Note tone="bad" shape="triangle">
      {words.differs(recorded, powerBadges[power.state].label)}
    </Note>
  )
}

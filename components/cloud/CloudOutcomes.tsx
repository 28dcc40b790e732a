import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import { StateBadge } from '../ui/Badge'
import { PanelPart } from '../ui/Panel'
import { outcomeBadges, cloudWords as words } from './words'

/** The pane is scrolled to its last button when the results appear above it. */
const reveal = (list: HTMLElement | null) => list?.scrollIntoView({ block: 'nearest' })

/** The result of each call of a repair. */
export const CloudOutcomes = ({ outcomes }: { outcomes: readonly CloudOutcomeView[] }) => (
  <PanelPart title={words.outcomes}>
    <ol ref={reveal} aria-label={words.outcomes} className="m-0 flex list-none flex-col gap-1.5 p-0 text-sm">
      {outcomes.map(({ does, did, says }) => (
        <li key={`${does} ${says}`}>
          <StateBadge badge={outcomeBadges[did]} />
          <span className="block break-words">{does}</span>
          <span className="block break-words text-soft">{says}</span>
        </li>
      ))}
    </ol>
  </PanelPart>
)

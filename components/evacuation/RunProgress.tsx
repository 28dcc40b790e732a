import type { RunDetail } from '@/server/api/run/view'
import { PlanWithActions } from '../drain/PlanWithActions'
import { RunControls } from '../drain/RunControls'
import { RunEstimate } from '../drain/RunEstimate'
import { drainWords, runBadges } from '../drain/words'
import { StateBadge } from '../ui/Badge'
import { Note } from '../ui/Message'
import { Meter } from '../ui/Meter'
import { Panel } from '../ui/Panel'
import { evacuationWords as words } from './words'

/** Progress of the evacuation by instance, with its controls. */
export function RunProgress({ run }: { run: RunDetail }) {
  const detail = drainWords.doneText(run)
  return (
    <Panel title={words.progress} aside={<StateBadge badge={runBadges[run.state]} detail={detail} />}>
      <div className="flex flex-col gap-3">
        {run.note ? (
          <Note tone="warn" shape="triangle">
            {run.note}
          </Note>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <RunControls run={run} startElsewhere={run.state === 'draft'} />
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Meter
            className="min-w-72 flex-1"
            label={words.progress}
            text={detail}
            total={run.total}
            segments={[
              { kind: 'held', amount: run.done },
              { kind: 'incoming', amount: run.migrations.filter(({ state }) => state === 'moving').length },
            ]}
          />
          <RunEstimate run={run} />
        </div>
        <PlanWithActions run={run} />
      </div>
    </Panel>
  )
}

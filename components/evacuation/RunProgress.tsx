import type { RunDetail } from '@/server/api/run/view'
import { RunControls } from '../drain/RunControls'
import { SteeredPlan } from '../drain/SteeredPlan'
import { drainWords, runLooks } from '../drain/words'
import { StateBadge } from '../ui/Badge'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { evacuationWords as words } from './words'

/** How far the evacuation is, guest by guest, with its controls. */
export function RunProgress({ run }: { run: RunDetail }) {
  const detail = drainWords.doneText(run.done, run.total, run.left)
  return (
    <Panel title={words.progress} aside={<StateBadge look={runLooks[run.state]} detail={detail} />}>
      <div className="flex flex-col gap-3">
        {run.note ? (
          <Note tone="warn" shape="triangle">
            {run.note}
          </Note>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <RunControls run={run} startElsewhere={run.state === 'draft'} />
        </div>
        <SteeredPlan run={run} />
      </div>
    </Panel>
  )
}

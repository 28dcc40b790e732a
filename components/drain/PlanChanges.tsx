import type { PlanDiff } from '@/server/api/run/view'
import { InstanceLink } from '../console/refs'
import { DiffLines } from '../ui/DiffLines'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { drainWords } from './words'

const words = drainWords.changes

/** Reasons for each replan and what it changed; newest first. */
export function PlanChanges({ diffs }: { diffs: readonly PlanDiff[] }) {
  if (diffs.length === 0) return <EmptyState title={words.none}>{words.noneMore}</EmptyState>
  return (
    <div className="flex flex-col gap-3">
      {[...diffs]
        .sort((a, b) => b.version - a.version)
        .map((diff) => (
          <Panel key={diff.version} title={words.title(diff.version)} aside={<RelativeTime at={diff.at} />}>
            <p className="m-0 pb-2 text-sm text-soft">{diff.because}</p>
            <DiffLines
              label={words.lines(diff.version)}
              lines={diff.lines.map((line, index) => ({
                key: String(index),
                sign: line.sign,
                what: <InstanceLink instance={line.instance} />,
                reason: line.what,
              }))}
            />
          </Panel>
        ))}
    </div>
  )
}

import type { MigrationRow } from '@/server/api/contract-moves'
import type { Progress } from '@/server/engine/migration/state'
import { bytes, rate } from '../ui/format'
import { uiWords } from '../ui/words'
import { migrationWords } from './words'

/** What the cell says, for a file. */
export const progressText = (
  { remainingBytes, totalBytes, bandwidthBytesPerS, postCopy }: Progress,
  notConverging: boolean,
): string =>
  uiWords.list([
    uiWords.named(bytes(remainingBytes), migrationWords.ofTotal(bytes(totalBytes))),
    rate(bandwidthBytesPerS),
    postCopy ? migrationWords.noWayBack : null,
    notConverging ? migrationWords.notConverging : null,
  ])

/** What is left of how much, and how fast; never a percentage, because a guest that writes makes it grow again. */
export function ProgressCell({ row }: { row: MigrationRow }) {
  const { progress } = row
  if (!progress) return <span className="text-faint">–</span>
  return (
    <span className="text-xs">
      {bytes(progress.remainingBytes)}{' '}
      <span className="text-faint">{migrationWords.ofTotal(bytes(progress.totalBytes))}</span>
      <span className="text-soft"> · {rate(progress.bandwidthBytesPerS)}</span>
      {row.notConverging ? <span className="text-warn"> · {migrationWords.notConverging}</span> : null}
      {progress.postCopy ? <span className="text-bad"> · {migrationWords.noWayBack}</span> : null}
    </span>
  )
}

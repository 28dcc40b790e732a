import type { MigrationRow } from '@/server/api/migration/view'
import { dash } from '../ui/dash'
import { bytes, rate } from '../ui/format'
import type { ExportPart } from '../ui/table/column'
import { migrationWords } from './words'

const head = migrationWords.transfer

/** The cell's columns for export. */
export const progressParts: readonly ExportPart<MigrationRow>[] = [
  { id: 'remaining', head: head.remaining, exportUnit: 'bytes', value: (row) => row.progress?.remainingBytes ?? null },
  { id: 'total', head: head.total, exportUnit: 'bytes', value: (row) => row.progress?.totalBytes ?? null },
  {
    id: 'copied',
    head: head.copied,
    exportUnit: 'bytesPerS',
    value: (row) => row.progress?.bandwidthBytesPerS ?? null,
  },
  { id: 'dirtied', head: head.dirtied, exportUnit: 'bytesPerS', value: (row) => row.progress?.dirtyBytesPerS ?? null },
  {
    id: 'converges',
    head: head.state,
    value: ({ progress, notConverging }) =>
      progress?.postCopy ? migrationWords.noWayBack : notConverging ? migrationWords.notConverging : null,
  },
]

/**
 * Problems come first, because a narrow cell is cut. Bytes left of the total, and the rate; never a percentage, because
 * the remaining bytes grow again when the guest dirties memory.
 */
export function ProgressCell({ row }: { row: MigrationRow }) {
  const { progress } = row
  if (!progress) return dash
  return (
    <span className="text-xs">
      {row.notConverging ? <span className="text-warn">{migrationWords.notConverging} · </span> : null}
      {progress.postCopy ? <span className="text-bad">{migrationWords.noWayBack} · </span> : null}
      {bytes(progress.remainingBytes)}{' '}
      <span className="text-faint">{migrationWords.ofTotal(bytes(progress.totalBytes))}</span>
      <span className="text-soft"> · {rate(progress.bandwidthBytesPerS)}</span>
    </span>
  )
}

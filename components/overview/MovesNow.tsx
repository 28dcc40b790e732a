import type { MigrationRow } from '@/server/api/contract-moves'
import { migrationColumns } from '../migration/columns'
import { migrationWords } from '../migration/words'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { overviewWords } from './words'

const SHOWN = new Set(['instance', 'operation', 'source', 'target', 'step', 'progress', 'wish'])
const columns = migrationColumns.flight.filter((column) => SHOWN.has(column.id))
const rowKey = (row: MigrationRow) => row.id

export function MovesNow({ moves }: { moves: readonly MigrationRow[] }) {
  return (
    <Table
      bare
      frameless
      label={overviewWords.moves}
      columns={columns}
      rows={moves}
      rowKey={rowKey}
      empty={<EmptyState title={migrationWords.empty.flight}>{migrationWords.emptyMore}</EmptyState>}
    />
  )
}

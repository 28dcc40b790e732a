import type { ExplainTree } from '@/server/api/explain/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { limitColumn, moreColumn } from '../provider/fit-columns'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import type { TreesQuery } from './answer'
import { explainWords as words } from './words'

const columns: readonly Column<ExplainTree>[] = [
  {
    id: 'tree',
    head: words.tree,
    fixed: true,
    minWidth: 140,
    value: (row) => row.name,
    cell: (row) => <TextLink href={paths.provider(row.id)}>{row.name}</TextLink>,
  },
  { ...moreColumn, head: words.howMany, width: 100 },
  { ...limitColumn, minWidth: 110 },
]

/** Hosts that Nova manages through the Placement API: Berth knows their amounts and migrates nothing there. */
export function TreesPanel({ query }: { query: TreesQuery }) {
  return (
    <Loaded query={query} what={words.treesWhat} minHeight={100}>
      {({ counts, trees, needsPlaces }) => (
        <Panel
          flush
          title={words.trees}
          aside={words.treesTaking(counts.taking, counts.trees)}
          className="max-h-full [&>div]:min-h-0 [&>div]:overflow-auto"
        >
          {needsPlaces ? (
            <p className="m-0 px-3 py-2 text-sm">
              <Unknown needs={words.treesPlaces} />
            </p>
          ) : null}
          <Table frameless label={words.trees} columns={columns} rows={trees} empty={null} />
        </Panel>
      )}
    </Loaded>
  )
}

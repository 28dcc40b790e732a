import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WhyTree } from '@/server/api/explain/router'
import type { ApiInputs } from '@/server/api/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { limitColumn, moreColumn } from '../provider/fit-columns'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { explainWords as words } from './words'

const columns: readonly Column<WhyTree>[] = [
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

/** Asked beside the verdicts, not after them. */
export function useTrees(input: ApiInputs['why']['ask']) {
  const trpc = useTRPC()
  return useQuery(
    trpc.why.trees.queryOptions(input, { staleTime: 5_000, placeholderData: keepPreviousData, retry: false }),
  )
}

/** Hosts that Nova keeps through the Placement API: Berth knows their amounts, and moves nothing there. */
export function TreesPanel({ query }: { query: ReturnType<typeof useTrees> }) {
  // Most fleets have none: no room is kept for them until there are some.
  if (query.isPending || query.data?.counts.trees === 0) return null
  return (
    <Loaded query={query} what={words.treesWhat} minHeight={100}>
      {({ counts, trees, needsPlaces }) => (
        <Panel flush title={words.trees} aside={words.treesTaking(counts.taking, counts.trees)}>
          {needsPlaces ? (
            <p className="m-0 px-3 py-2 text-sm">
              <Unknown needs={words.treesPlaces} />
            </p>
          ) : null}
          <div className="max-h-56 overflow-auto">
            <Table
              bare
              frameless
              label={words.trees}
              columns={columns}
              rows={trees}
              rowKey={(row) => row.id}
              empty={null}
            />
          </div>
        </Panel>
      )}
    </Loaded>
  )
}

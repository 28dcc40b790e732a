'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { useMemo } from 'react'
import type { TreeRowView } from '@/server/api/provider/router'
import { Loaded } from '../console/Failure'
import { ListTable } from '../console/list/ListTable'
import { useWholeList } from '../console/list/list'
import { RECOUNT_MS } from '../console/list/recount'
import { useTRPC } from '../console/trpc'
import { TreePane } from './TreePane'
import { treeColumns, treeList } from './tree-columns'
import { providerWords as words } from './words'

const rowName = (row: TreeRowView) => row.name

/** All provider trees; the selected one, kept in the address, shows its providers beside the list. */
export function TreesPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.trees.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  return (
    <Loaded query={query} what={words.title} minHeight={300}>
      {(trees) => <Trees trees={trees} />}
    </Loaded>
  )
}

function Trees({ trees }: { trees: readonly TreeRowView[] }) {
  const classes = useMemo(() => classesOf(trees), [trees])
  const columns = useMemo(() => treeColumns(classes), [classes])
  const spec = useMemo(() => treeList(classes), [classes])
  const list = useWholeList(trees, spec)
  const [picked, pick] = useQueryState('tree', parseAsString)
  return (
    <div className="flex min-h-0 flex-1 gap-3 max-lg:flex-none max-lg:flex-col">
      <ListTable
        fill
        columns={columns}
        rowName={rowName}
        list={list}
        words={words}
        picked={picked}
        onPick={(row) => void pick(row.id === picked ? null : row.id)}
      />
      {picked ? <TreePane id={picked} /> : null}
    </div>
  )
}

/** Classes that every host has come first, the rest by name. */
const FIRST: readonly string[] = ['VCPU', 'MEMORY_MB', 'DISK_GB']

function classesOf(trees: readonly TreeRowView[]): readonly string[] {
  const all = [...new Set(trees.flatMap(({ classes }) => classes.map(({ resourceClass }) => resourceClass)))].sort()
  return [...FIRST.filter((each) => all.includes(each)), ...all.filter((each) => !FIRST.includes(each))]
}

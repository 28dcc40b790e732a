'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TreeRowView } from '@/server/api/provider/router'
import { Loaded } from '../console/Failure'
import { ListEmpty } from '../console/list/ListEmpty'
import { useWholeList } from '../console/list/list'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { Table } from '../ui/table/Table'
import { treeColumns, treeList } from './tree-columns'
import { providerWords as words } from './words'

const rowKey = (row: TreeRowView) => row.id
const rowName = (row: TreeRowView) => row.name

/** Provider trees that clients of the Placement API keep. */
export function TreesPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.trees.queryOptions())
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
  return (
    <Table
      fill
      label={words.title}
      columns={columns}
      rowKey={rowKey}
      rowName={rowName}
      {...list.table}
      filters={<FilterField label={words.filter} {...list.filter} />}
      empty={<ListEmpty list={list} words={words} />}
    />
  )
}

/** What every host has first, then the rest by name. */
const FIRST: readonly string[] = ['VCPU', 'MEMORY_MB', 'DISK_GB']

function classesOf(trees: readonly TreeRowView[]): readonly string[] {
  const all = [...new Set(trees.flatMap(({ classes }) => classes.map(({ resourceClass }) => resourceClass)))].sort()
  return [...FIRST.filter((each) => all.includes(each)), ...all.filter((each) => !FIRST.includes(each))]
}

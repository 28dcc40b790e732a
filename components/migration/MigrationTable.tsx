'use client'
import { useMemo, useState } from 'react'
import { MIGRATION_LIST } from '@/lists/migration'
import type { MigrationView } from '@/server/api/migration/router'
import type { MigrationRow } from '@/server/api/migration/view'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useOpenPreview } from '../console/preview'
import { useTRPC } from '../console/trpc'
import { FilterField } from '../ui/filter/FilterField'
import { EmptyState } from '../ui/Message'
import { uiWords } from '../ui/words'
import { ViewsMenu } from '../view/ViewsMenu'
import { migrationColumns } from './columns'
import { BulkActions } from './requested-action/ActionButtons'
import { migrationWords as words } from './words'

const rowName = (row: MigrationRow) => row.instance.name

export interface MigrationTableProps {
  readonly view: MigrationView
  /** Only migrations that touch this host or this instance. */
  readonly host?: string
  readonly instance?: string
  readonly fill?: boolean
}

export function MigrationTable(props: MigrationTableProps) {
  const trpc = useTRPC()
  const openPreview = useOpenPreview('migration')
  const { view, host, instance } = props
  const list = useList(MIGRATION_LIST)
  const input = { view, host, instance, ...list.input }
  const paged = usePagedRows({
    input,
    ask: (page) => trpc.migration.list.queryOptions(page),
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ticked = useMemo(
    () => paged.table.rows?.filter((row) => selected.has(row.id)) ?? [],
    [paged.table.rows, selected],
  )
  const bulk = props.view !== 'history' && props.view !== 'all'
  return (
    <ListTable
      key={props.view}
      fill={props.fill}
      label={uiWords.both(words.title, words.views[props.view])}
      columns={migrationColumns[props.view]}
      rowName={rowName}
      list={list}
      paged={paged}
      words={words}
      onPreview={openPreview}
      selected={bulk ? selected : undefined}
      onSelect={bulk ? setSelected : undefined}
      filters={
        <>
          {instance ? null : <FilterField label={words.filter} {...list.filter} />}
          {instance || host ? null : <ViewsMenu />}
          {bulk ? <BulkActions rows={ticked} onDone={() => setSelected(new Set())} /> : null}
        </>
      }
      empty={<EmptyState title={words.empty[props.view]}>{words.emptyMore}</EmptyState>}
    />
  )
}

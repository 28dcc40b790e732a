'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CapacityRow } from '@/server/api/capacity/memory-rows'
import type { CapacityView, FlavorFits, FlavorsView } from '@/server/api/capacity/router'
import { Loaded } from '../console/Failure'
import { ListTable } from '../console/list/ListTable'
import { useWholeList } from '../console/list/list'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { overviewWords } from '../overview/words'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { SectionTitle } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { classColumns, flavorColumns, treeClassColumns } from './columns'
import { flavorList } from './filters'
import { capacityWords as words } from './words'

const classKey = (row: CapacityRow) => [row.resourceClass, row.pages].join(' ')
const flavorKey = (row: FlavorFits) => row.flavor
const flavorName = (row: FlavorFits) => row.flavor

/** Shows free capacity by class at once; the count of further instances per flavor loads separately. */
export function CapacityPage() {
  const trpc = useTRPC()
  const classes = useQuery(trpc.capacity.get.queryOptions(undefined, { staleTime: 10_000 }))
  const flavors = useQuery(trpc.capacity.flavors.queryOptions(undefined, { staleTime: 10_000 }))
  const again = () => void Promise.all([classes.refetch(), flavors.refetch()])
  return (
    <div className="flex flex-col gap-3">
      <Loaded query={classes} what={words.what} minHeight={420}>
        {(view) => <Classes view={view} />}
      </Loaded>
      {/* Below tables of unknown height: it would move while they load. */}
      {classes.isPending ? null : (
        <Loaded query={flavors} what={words.flavorsWhat} minHeight={300} pending={words.counting}>
          {(view) => <Flavors view={view} onAgain={again} />}
        </Loaded>
      )}
    </div>
  )
}

function Classes({ view }: { view: CapacityView }) {
  return (
    <>
      <Table
        label={words.classes}
        columns={classColumns}
        rows={view.classes}
        rowKey={classKey}
        filters={<SectionTitle>{words.classes}</SectionTitle>}
        empty={<EmptyState title={overviewWords.noCapacity}>{overviewWords.noCapacityMore}</EmptyState>}
      />
      {view.trees.length > 0 ? (
        <Table
          label={words.trees}
          columns={treeClassColumns}
          rows={view.trees}
          rowKey={classKey}
          filters={
            <>
              <SectionTitle>{words.trees}</SectionTitle>
              <TextLink href={paths.providers()} className="flex h-7 items-center">
                {words.treesMore}
              </TextLink>
            </>
          }
        />
      ) : null}
    </>
  )
}

function Flavors({ view, onAgain }: { view: FlavorsView; onAgain: () => void }) {
  const zones = useMemo(() => zonesOf(view.flavors), [view.flavors])
  const columns = useMemo(() => flavorColumns(zones), [zones])
  const spec = useMemo(() => flavorList(view.flavors), [view.flavors])
  const list = useWholeList(view.flavors, spec)
  return (
    <section className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        <SectionTitle>{words.flavors}</SectionTitle>
        <span className="text-xs text-soft">{words.moreHelp}</span>
        <span className="ml-auto flex items-center gap-x-3">
          <span className="text-xs text-faint">{words.asked(view.tookMs)}</span>
          <Button size="sm" variant="quiet" onPress={onAgain}>
            {words.again}
          </Button>
        </span>
      </div>
      <ListTable
        columns={columns}
        rowKey={flavorKey}
        rowName={flavorName}
        list={list}
        words={{ ...words.flavorRows, title: words.flavors, filter: words.filter }}
      />
    </section>
  )
}

function zonesOf(flavors: readonly FlavorFits[]): readonly (string | null)[] {
  return [...new Set(flavors.flatMap((flavor) => flavor.zones.map(({ zone }) => zone)))]
}

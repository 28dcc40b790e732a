'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CapacityRow, CapacityView, FlavorRoom } from '@/server/api/contract-look'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Panel } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { classColumns, flavorColumns } from './columns'
import { capacityWords as words } from './words'

const classKey = (row: CapacityRow) => row.resourceClass
const flavorKey = (row: FlavorRoom) => row.flavor
const flavorName = (row: FlavorRoom) => row.flavor

export function CapacityPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.capacity.get.queryOptions(undefined, { staleTime: 10_000 }))
  return (
    <Loaded query={query} what={words.what} minHeight={600}>
      {(view) => (
        <div className="flex flex-col gap-3">
          <Panel title={words.classes} flush>
            <Table bare frameless label={words.classes} columns={classColumns} rows={view.classes} rowKey={classKey} />
          </Panel>
          <Flavors view={view} onAgain={() => void query.refetch()} />
        </div>
      )}
    </Loaded>
  )
}

function Flavors({ view, onAgain }: { view: CapacityView; onAgain: () => void }) {
  const zones = useMemo(() => zonesOf(view.flavors), [view.flavors])
  const columns = useMemo(() => flavorColumns(zones), [zones])
  const aside = (
    <>
      {words.asked(view.tookMs)}
      <Button size="sm" look="quiet" onPress={onAgain}>
        {words.again}
      </Button>
    </>
  )
  return (
    <Panel title={words.flavors} aside={aside} flush>
      <p className="m-0 px-3 py-2 text-xs text-soft">{words.moreHelp}</p>
      <Table
        bare
        frameless
        label={words.flavors}
        columns={columns}
        rows={view.flavors}
        rowKey={flavorKey}
        rowName={flavorName}
      />
    </Panel>
  )
}

function zonesOf(flavors: readonly FlavorRoom[]): readonly (string | null)[] {
  return [...new Set(flavors.flatMap((flavor) => flavor.zones.map(({ zone }) => zone)))]
}

'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { LayoutRow, LayoutState, LayoutWave } from '@/server/api/layout/view'
import { Loaded } from '../console/Failure'
import { ListEmpty } from '../console/list/ListEmpty'
import { useWholeList } from '../console/list/list'
import { useTRPC } from '../console/trpc'
import { hostWords } from '../host/words'
import { FilterField } from '../ui/filter/FilterField'
import { onlyValue, withOnly } from '../ui/filter/terms'
import { Drawer } from '../ui/overlay/Dialog'
import { PageHead } from '../ui/Panel'
import { ViewsMenu } from '../view/ViewsMenu'
import { DryRunButton } from './DryRunButton'
import { layoutList } from './filters'
import { HostLayoutPanel } from './HostLayoutPanel'
import { LayoutTable } from './LayoutTable'
import { StateCounts } from './StateCounts'
import { WaveButton } from './WaveButton'
import { WavePanel } from './WavePanel'
import { layoutLooks, layoutWords as words } from './words'

const STATES = Object.keys(layoutLooks) as readonly LayoutState[]

/** The marker board, a host's tree over it, and the wave that goes through the fleet. */
export function LayoutPage() {
  const trpc = useTRPC()
  const board = useQuery(trpc.layout.board.queryOptions())
  return (
    <Loaded page query={board} what={words.title} minHeight={600}>
      {({ rows, wave }) => <Board rows={rows} wave={wave} />}
    </Loaded>
  )
}

function Board({ rows, wave }: { rows: readonly LayoutRow[]; wave: LayoutWave | null }) {
  const [host, openHost] = useQueryState('host', parseAsString.withOptions({ history: 'push' }))
  const list = useWholeList(rows, layoutList)
  const state = STATES.find((each) => each === onlyValue(list.filter.value, 'state')) ?? null
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const opened = rows.find((row) => row.host.id === host)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <PageHead
        title={words.title}
        actions={
          <>
            <DryRunButton />
            <WaveButton hosts={[...selected]} wave={wave} onStarted={() => setSelected(new Set())} />
          </>
        }
      />
      <StateCounts
        rows={rows}
        state={state}
        onState={(next) => list.filter.onChange(withOnly(list.filter.value, 'state', next))}
      />
      <WavePanel wave={wave} />
      <LayoutTable
        {...list.table}
        selected={selected}
        onSelect={setSelected}
        onOpen={openHost}
        empty={<ListEmpty list={list} words={hostWords} />}
        filters={
          <>
            <FilterField label={words.filter} {...list.filter} />
            <ViewsMenu />
          </>
        }
      />
      <Drawer
        wide="work"
        isOpen={host !== null}
        onClose={() => void openHost(null)}
        title={words.open(opened?.host.name ?? '')}
      >
        {host === null ? null : <HostLayoutPanel host={host} />}
      </Drawer>
    </div>
  )
}

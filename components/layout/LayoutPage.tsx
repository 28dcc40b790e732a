'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { LayoutRollout, LayoutRow, LayoutState } from '@/server/api/layout/view'
import { Loaded } from '../console/Failure'
import { useWholeList, type WholeList } from '../console/list/list'
import { useTRPC } from '../console/trpc'
import { onlyValue, withOnly } from '../ui/filter/terms'
import { Drawer } from '../ui/overlay/Dialog'
import { PageHead } from '../ui/Panel'
import { DryRunButton } from './DryRunButton'
import { HostLayoutPanel } from './HostLayoutPanel'
import { LayoutTable } from './LayoutTable'
import { RolloutButton } from './RolloutButton'
import { RolloutPanel } from './RolloutPanel'
import { StateCounts } from './StateCounts'
import { layoutBadges, layoutWords as words } from './words'

const STATES = Object.keys(layoutBadges) as readonly LayoutState[]

const label = words.filters

/** Filter keys and sort columns of hosts by provider layout. */
const layoutList: WholeList<LayoutRow> = {
  keys: [
    { id: 'host', label: label.host, aliases: ['name'] },
    { id: 'state', label: label.state, values: Object.keys(layoutBadges) },
    { id: 'zone', label: label.zone },
    { id: 'blocked', label: label.blocked },
    { id: 'wave', label: label.wave },
    { id: 'by', label: label.by },
  ],
  fields: {
    host: (row) => [row.host.name],
    state: (row) => [row.state],
    zone: (row) => [row.zone],
    blocked: (row) => [row.blockedBy],
    wave: (row) => [row.wave, row.wave?.slice(0, 8)],
    by: (row) => [row.by],
    text: (row) => [row.host.name, row.host.id, row.blockedBy],
  },
  sortColumns: ['host', 'state', 'why', 'zone', 'consumers', 'version', 'by', 'at', 'wave'],
}

/** Layout markers of all hosts, one host's tree, and the rollout. */
export function LayoutPage() {
  const trpc = useTRPC()
  const board = useQuery(trpc.layout.list.queryOptions())
  return (
    <Loaded page query={board} what={words.title} minHeight={600}>
      {({ rows, wave: rollout }) => <LayoutList rows={rows} rollout={rollout} />}
    </Loaded>
  )
}

function LayoutList({ rows, rollout }: { rows: readonly LayoutRow[]; rollout: LayoutRollout | null }) {
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
            <RolloutButton hosts={[...selected]} rollout={rollout} onStarted={() => setSelected(new Set())} />
          </>
        }
      />
      <StateCounts
        rows={rows}
        state={state}
        onState={(next) => list.filter.onChange(withOnly(list.filter.value, 'state', next))}
      />
      <RolloutPanel rollout={rollout} />
      <LayoutTable list={list} selected={selected} onSelect={setSelected} onOpen={openHost} />
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

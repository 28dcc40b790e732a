import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { OverviewView } from '@/server/api/contract-moves'
import { useTRPC } from '../console/trpc'
import { useChoice, useText } from '../console/url'
import { FlavorChoice } from '../move/MoveForm'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { ToggleGroup } from '../ui/ToggleGroup'
import { Heatmap } from './Heatmap'
import type { Shade, Shading } from './heat'
import { overviewWords as words } from './words'

const SHADES = ['cpus', 'memoryMib', 'room'] as const satisfies readonly Shade[]

/** The fleet in one look, shaded by what is held or by how many more of a flavor fit. */
export function FleetPanel({ view }: { view: OverviewView }) {
  const [chosen, setShade] = useChoice('shade', SHADES)
  const [flavor, setFlavor] = useText('flavor')
  const shade = chosen ?? 'cpus'
  const shading = useShading(shade, flavor)
  const choices = SHADES.map((id) => ({ id, label: words.shades[id] }))
  return (
    <Panel
      title={words.fleet}
      aside={<ToggleGroup label={words.shade} value={shade} onChange={setShade} choices={choices} />}
    >
      <div className="flex flex-col gap-2">
        {shade === 'room' ? (
          <FlavorChoice label={words.roomFlavor} value={flavor} onChange={(name) => void setFlavor(name)} />
        ) : null}
        {view.hosts.length === 0 ? (
          <EmptyState title={words.noHosts}>{words.noHostsMore}</EmptyState>
        ) : shading ? (
          <Heatmap hosts={view.hosts} shade={shading} />
        ) : (
          <p className="m-0 text-sm text-soft">{words.chooseFlavor}</p>
        )}
        <Legend />
      </div>
    </Panel>
  )
}

/** Null until there is something to shade by. The same object as long as it says the same: squares are memoised. */
function useShading(shade: Shade, flavor: string | null): Shading | null {
  const trpc = useTRPC()
  const room = useQuery(
    trpc.capacity.room.queryOptions(
      { flavor: flavor ?? '' },
      { enabled: shade === 'room' && flavor !== null, placeholderData: keepPreviousData, staleTime: 10_000 },
    ),
  )
  const view = flavor === null ? undefined : room.data
  return useMemo(() => {
    if (shade !== 'room') return { by: shade }
    if (!view) return null
    return { by: 'room', flavor: view.flavor, rooms: new Map(view.hosts.map((host) => [host.id, host])) }
  }, [shade, view])
}

function Legend() {
  return (
    <ul aria-label={words.legendLabel} className="m-0 flex list-none gap-4 p-0 text-xs text-faint">
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-full bg-map-incoming" />
        {words.legend.moves}
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rotate-45 bg-bad-fill" />
        {words.legend.findings}
      </li>
    </ul>
  )
}

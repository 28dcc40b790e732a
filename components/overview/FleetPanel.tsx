import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import type { OverviewView } from '@/server/api/overview/router'
import { Pending } from '../console/Failure'
import { useChoice, usePictureView } from '../console/url'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { Panel } from '../ui/Panel'
import { PictureToggle } from '../ui/PictureOrTable'
import { ROW_HEIGHT } from '../ui/table/column'
import type { ShadedProps } from './FleetByFitCount'
import { HeatLegend } from './HeatMarks'
import { Heatmap, hasLargeCells } from './Heatmap'
import type { Shade } from './heat'
import { overviewWords as words } from './words'

const HeatTable = dynamic(() => import('./HeatTable').then((code) => code.HeatTable), { loading: () => <Pending /> })
const FleetByFitCount = dynamic(() => import('./FleetByFitCount').then((code) => code.FleetByFitCount), {
  loading: () => <Pending />,
})

const SHADES = ['cpus', 'memoryMib', 'room'] as const satisfies readonly Shade[]
/** The fleet at a glance, shaded by usage or by how many more of a shape fit. */
export function FleetPanel({ view }: { view: OverviewView }) {
  const [chosen, setShade] = useChoice('shade', SHADES)
  const [as, setAs] = usePictureView()
  const shade = chosen ?? 'cpus'
  const aside = (
    <>
      <ToggleGroup
        label={words.shade}
        value={shade}
        onChange={setShade}
        choices={SHADES.map((id) => ({ id, label: words.shades[id] }))}
      />
      <PictureToggle label={words.view} view={as} onView={setAs} />
    </>
  )
  const Fleet = as === 'table' ? HeatTable : Heatmap
  // The panels below keep their place while the code of the table loads.
  const minHeight = as === 'table' ? (view.hosts.length + 1) * ROW_HEIGHT : undefined
  return (
    <Panel title={words.fleet} detail={words.fleetFacts(view.hostCount, view.instanceCount)} aside={aside}>
      <div style={{ minHeight }}>
        {shade === 'room' ? <FleetByFitCount view={view} of={Fleet} /> : <Shaded view={view} of={Fleet} by={shade} />}
      </div>
    </Panel>
  )
}

function Shaded({ view, of: Fleet, by }: ShadedProps & { by: Exclude<Shade, 'room'> }) {
  // Stable identity while the value is the same: squares are memoized.
  const shade = useMemo(() => ({ by }), [by])
  return (
    <div className="flex flex-col gap-2">
      <Fleet hosts={view.hosts} shade={shade} />
      <HeatLegend shade={shade} numbered={hasLargeCells(view.hosts)} />
    </div>
  )
}

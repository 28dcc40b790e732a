import dynamic from 'next/dynamic'
import { lazy, Suspense, useMemo } from 'react'
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
const FleetByFitCount = lazy(() => import('./FleetByFitCount').then((code) => ({ default: code.FleetByFitCount })))

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
        {shade === 'room' ? (
          <Suspense fallback={<AwaitedFitCount view={view} of={Fleet} />}>
            <FleetByFitCount view={view} of={Fleet} awaited={<AwaitedMap view={view} of={Fleet} />} />
          </Suspense>
        ) : (
          <Shaded view={view} of={Fleet} by={shade} />
        )}
      </div>
    </Panel>
  )
}

const NO_SHADE = { by: 'cpus' } as const

/** As high as the map to come, so that the panels below stay where they are. */
const AwaitedMap = ({ view, of: Fleet }: ShadedProps) => (
  <div className="invisible flex flex-col gap-2" aria-hidden="true">
    <p className="m-0 h-11" />
    <Fleet hosts={view.hosts} shade={NO_SHADE} />
    <HeatLegend shade={NO_SHADE} numbered={hasLargeCells(view.hosts)} />
  </div>
)

/** With the fields above the map. */
const AwaitedFitCount = (props: ShadedProps) => (
  <div className="flex flex-col gap-2">
    <div className="h-[50px]" />
    <AwaitedMap {...props} />
  </div>
)

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

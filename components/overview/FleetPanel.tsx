import dynamic from 'next/dynamic'
import { lazy, Suspense, useMemo } from 'react'
import type { OverviewView } from '@/server/api/overview/router'
import { largestWords } from '../claim/amount/words'
import { Pending } from '../console/Failure'
import { useChoice, usePictureView } from '../console/url'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { Panel } from '../ui/Panel'
import { PictureToggle } from '../ui/PictureOrTable'
import { ROW_HEIGHT } from '../ui/table/column'
import { FitLines } from './FitLines'
import type { ShadedProps } from './FleetByFitCount'
import { HeatLegend } from './HeatMarks'
import { Heatmap, hasLargeCells } from './Heatmap'
import type { HeatMetric, Shade } from './heat'
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

/** Every text about as long as the one to come, so that it has as many lines. */
const AWAITED = { by: 'room', what: 'm1.small', fits: new Map() } as const satisfies HeatMetric

/** As high as the map to come, so that the panels below stay where they are. */
function AwaitedMap({ view: { hosts, hostCount }, of: Fleet }: ShadedProps) {
  const unanswered = hosts.filter(({ contact }) => contact === 'silent' || contact === 'never-answered').length
  return (
    <div className="invisible flex flex-col gap-2" aria-hidden="true">
      <FitLines
        fits={
          <>
            {words.room(1_000, true, AWAITED.what)} {words.fitsOn(hostCount, hostCount)}{' '}
            {unanswered > 0 ? words.fitsUnanswered(10, unanswered) : null}
          </>
        }
        largest={
          <>
            <span>
              {words.largestLike} {largestWords.atLeast} {largestWords.shape(32, 65_536, 0)} {largestWords.on}{' '}
              {hosts[0]?.name}
            </span>
            <span>{words.whyNot}</span>
          </>
        }
      />
      <Fleet hosts={hosts} shade={AWAITED} />
      <HeatLegend shade={AWAITED} numbered={hasLargeCells(hosts)} />
    </div>
  )
}

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

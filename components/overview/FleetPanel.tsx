import { keepPreviousData, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import type { OverviewView } from '@/server/api/overview/router'
import type { ApiInputs } from '@/server/api/router'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { consoleWords } from '../console/words'
import { useQuestion } from '../explain/address'
import { inputOf } from '../explain/question'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { Panel } from '../ui/Panel'
import { uiWords } from '../ui/words'
import { HeatLegend } from './HeatMarks'
import { Heatmap, isRoomy } from './Heatmap'
import { HeatTable } from './HeatTable'
import type { Shade, Shading } from './heat'
import { RoomSummary } from './RoomSummary'
import { overviewWords as words } from './words'

// Fields of a shape are seen only by who asks for the room of one.
const ShapeFields = dynamic(() => import('../explain/QuestionForm').then((code) => code.ShapeFields), {
  loading: () => <div className="min-h-12" />,
})

const SHADES = ['cpus', 'memoryMib', 'room'] as const satisfies readonly Shade[]
const VIEWS = ['picture', 'table'] as const

/** The fleet in one look, shaded by what is held or by how many more of a shape fit. */
export function FleetPanel({ view }: { view: OverviewView }) {
  const [chosen, setShade] = useChoice('shade', SHADES)
  const [as, setAs] = useChoice('as', VIEWS)
  const shade = chosen ?? 'cpus'
  const aside = (
    <>
      <ToggleGroup
        label={words.shade}
        value={shade}
        onChange={setShade}
        choices={SHADES.map((id) => ({ id, label: words.shades[id] }))}
      />
      <ToggleGroup
        label={words.view}
        value={as ?? 'picture'}
        onChange={setAs}
        choices={VIEWS.map((id) => ({ id, label: uiWords[id] }))}
      />
    </>
  )
  const Fleet = as === 'table' ? HeatTable : Heatmap
  return (
    <Panel title={words.fleet} detail={words.fleetFacts(view.hostCount, view.instanceCount)} aside={aside}>
      {shade === 'room' ? <ByRoom view={view} of={Fleet} /> : <Shaded view={view} of={Fleet} by={shade} />}
    </Panel>
  )
}

interface ShadedProps {
  readonly view: OverviewView
  readonly of: typeof Heatmap | typeof HeatTable
}

function Shaded({ view, of: Fleet, by }: ShadedProps & { by: Exclude<Shade, 'room'> }) {
  // The same object as long as it says the same: squares are memoised.
  const shade = useMemo(() => ({ by }), [by])
  return (
    <div className="flex flex-col gap-2">
      <Fleet hosts={view.hosts} shade={shade} />
      <HeatLegend shade={shade} numbered={isRoomy(view.hosts)} />
    </div>
  )
}

function ByRoom({ view, of: Fleet }: ShadedProps) {
  const trpc = useTRPC()
  const question = useQuestion()
  const input = roomInput(inputOf(question))
  const room = useQuery(
    trpc.capacity.room.queryOptions(input ?? {}, {
      ...{ enabled: input !== null, placeholderData: keepPreviousData, staleTime: 10_000, retry: false },
    }),
  )
  const data = input === null || room.error ? undefined : room.data
  const shade = useMemo((): Shading | null => {
    if (!data) return null
    const rooms = new Map(data.hosts.map((host) => [host.id, host]))
    return { by: 'room', what: data.flavor ?? words.typed, rooms }
  }, [data])
  return (
    <div className="flex flex-col gap-2">
      <section aria-label={words.shape} className="flex flex-wrap items-end gap-3">
        <ShapeFields question={question} />
      </section>
      {room.error ? <Failure error={room.error} title={consoleWords.error.query(words.shape)} /> : null}
      {data && shade?.by === 'room' ? <RoomSummary room={data} what={shade.what} hosts={view.hostCount} /> : null}
      {shade ? <Fleet hosts={view.hosts} shade={shade} /> : null}
      {shade ? <HeatLegend shade={shade} numbered={isRoomy(view.hosts)} /> : null}
      {input === null ? <p className="m-0 text-sm text-soft">{words.chooseShape}</p> : null}
    </div>
  )
}

/** Of the question only its shape: where it should go is not asked here. */
function roomInput(asked: ReturnType<typeof inputOf>): ApiInputs['capacity']['room'] | null {
  if (asked?.shape) return { shape: asked.shape }
  return asked?.flavor ? { flavor: asked.flavor } : null
}

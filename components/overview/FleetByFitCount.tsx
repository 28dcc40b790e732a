'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useMemo } from 'react'
import type { FitCountView } from '@/server/api/capacity/router'
import type { OverviewView } from '@/server/api/overview/router'
import type { ApiInputs } from '@/server/api/router'
import { largestWords } from '../claim/amount/words'
import { Failure } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { useQuestion } from '../explain/address'
import { ShapeFields } from '../explain/QuestionForm'
import { inputOf } from '../explain/question'
import { TextLink } from '../ui/Link'
import { FitLines } from './FitLines'
import { HeatLegend } from './HeatMarks'
import { type HeatmapProps, hasLargeCells } from './Heatmap'
import { fitsInAll, type HeatMetric } from './heat'
import { overviewWords as words } from './words'

export interface ShadedProps {
  readonly view: OverviewView
  readonly of: ComponentType<HeatmapProps>
}

/** The fleet shaded by how many more of a shape fit; code and fields load when it is selected. */
export function FleetByFitCount({ view, of: Fleet, awaited }: ShadedProps & { readonly awaited: ReactNode }) {
  const trpc = useTRPC()
  const question = useQuestion()
  const input = fitCountInput(inputOf(question))
  const room = useQuery(
    trpc.capacity.fitCount.queryOptions(input ?? {}, {
      ...{ enabled: input !== null, placeholderData: keepPreviousData, staleTime: 10_000, retry: false },
    }),
  )
  const data = input === null || room.error ? undefined : room.data
  const shade = useMemo((): HeatMetric | null => {
    if (!data) return null
    const fits = new Map(data.hosts.map((host) => [host.id, host]))
    return { by: 'room', what: data.flavor ?? words.typed, fits }
  }, [data])
  return (
    <div className="flex flex-col gap-2">
      <section aria-label={words.shape} className="flex flex-wrap items-end gap-3">
        <ShapeFields question={question} />
      </section>
      {room.error ? <Failure error={room.error} title={consoleWords.error.query(words.shape)} /> : null}
      {data && shade?.by === 'room' ? <FitSummary room={data} what={shade.what} hosts={view.hostCount} /> : null}
      {shade ? <Fleet hosts={view.hosts} shade={shade} /> : null}
      {shade ? <HeatLegend shade={shade} numbered={hasLargeCells(view.hosts)} /> : null}
      {input !== null && room.isPending ? awaited : null}
      {input === null ? <p className="m-0 text-sm text-soft">{words.chooseShape}</p> : null}
    </div>
  )
}

/** Only the shape of the request, without its placement constraints. */
function fitCountInput(asked: ReturnType<typeof inputOf>): ApiInputs['capacity']['fitCount'] | null {
  if (asked?.shape) return { shape: asked.shape }
  return asked?.flavor ? { flavor: asked.flavor } : null
}

/** The picture in two lines: how many more fit, on how many hosts, and how large a single one may be. */
function FitSummary({ room, what, hosts }: { room: FitCountView; what: string; hosts: number }) {
  const { flavor, vcpus, memory, disk, specs } = useQuestion()
  const sum = fitsInAll(room.hosts.filter(({ answers }) => answers))
  const unanswered = fitsInAll(room.hosts.filter(({ answers }) => !answers))
  const { shape, host, exact } = room.largest
  const text = (n: number | null) => (n === null ? undefined : String(n))
  const asked = { vcpus: text(vcpus), memory: text(memory), disk: text(disk), specs: specs ?? undefined }
  const question = vcpus === null ? { flavor: flavor ?? undefined } : asked
  return (
    <FitLines
      fits={
        <>
          <strong className="font-medium">{words.room(sum.more, sum.exact, what)}</strong>{' '}
          <span className="text-soft">
            {words.fitsOn(sum.hosts, hosts)}{' '}
            {unanswered.more > 0 ? words.fitsUnanswered(unanswered.more, unanswered.hosts) : null}
          </span>
        </>
      }
      largest={
        <>
          {shape ? (
            <span className="text-soft">
              {words.largestLike} {exact ? null : largestWords.atLeast}{' '}
              <span className="text-ink">{largestWords.shape(shape.vcpus, shape.memoryMib, shape.devices)}</span>{' '}
              {host ? largestWords.on : null} {host ? <HostLink host={host} /> : null}
            </span>
          ) : null}
          <TextLink href={paths.explain(question)}>{words.whyNot}</TextLink>
        </>
      }
    />
  )
}

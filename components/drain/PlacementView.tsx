'use client'
import { parseAsInteger, useQueryState } from 'nuqs'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { PlannedMigration, RunDetail } from '@/server/api/run/view'
import { usePictureView } from '../console/url'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { PictureToggle } from '../ui/PictureOrTable'
import { PlacementGrid } from './PlacementGrid'
import { PlacementTable } from './PlacementTable'
import { placementAfter, stepsOf } from './placement-steps'
import { reasonText } from './reason-text'
import { drainWords, methodWords } from './words'

const words = drainWords.placement
/** Long enough to read each step. */
const STEP_MS = 1_200

/** The plan, step by step (N10). The address holds the step. */
export function PlacementView({ run }: { run: Pick<RunDetail, 'placement' | 'migrations' | 'host'> }) {
  const steps = stepsOf(run.migrations)
  const [as, setAs] = usePictureView()
  const { at, goTo, playing, setPlaying } = useStep(steps.length)
  if (steps.length === 0) return <EmptyState title={words.none}>{words.noneMore}</EmptyState>
  const columns = placementAfter(run, at)
  const last = at === 0 ? null : (steps[at - 1] ?? null)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <PictureToggle label={words.view} view={as} onView={setAs} />
        <Controls at={at} of={steps.length} goTo={goTo} playing={playing} setPlaying={setPlaying} />
      </div>
      <p aria-live={playing ? 'off' : 'polite'} className="m-0 min-h-10 text-sm">
        <strong className="font-medium">{at === 0 ? words.start : words.at(at, steps.length)}</strong>
        <br />
        <span className="text-soft">{last ? sentence(last) : words.keys}</span>
      </p>
      {as === 'table' ? (
        <PlacementTable columns={columns} />
      ) : (
        <PlacementGrid columns={columns} drained={run.host.id} last={last} next={steps[at] ?? null} />
      )}
    </div>
  )
}

function sentence(migration: PlannedMigration): string {
  const { instance, from, to, method } = migration
  const why = reasonText(migration)
  if (method === null) return why
  const what = to
    ? words.did(instance.name, from.name, to.name, methodWords[method])
    : words.stops(instance.name, from.name)
  return words.because(what, why)
}

function useStep(count: number) {
  const [asked, setAt] = useQueryState('step', parseAsInteger.withDefault(0))
  const [playing, setPlaying] = useState(false)
  const at = Math.min(Math.max(0, asked), count)
  const goTo = (step: number) => void setAt(Math.min(Math.max(0, step), count))
  useEffect(() => {
    if (!playing) return
    if (at >= count) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => void setAt(at + 1), STEP_MS)
    return () => clearTimeout(timer)
  }, [playing, at, count, setAt])
  return { at, goTo, playing, setPlaying }
}

interface ControlsProps {
  readonly at: number
  readonly of: number
  readonly goTo: (step: number) => void
  readonly playing: boolean
  readonly setPlaying: (playing: boolean) => void
}

function Controls({ at, of, goTo, playing, setPlaying }: ControlsProps) {
  const to = (step: number) => () => {
    setPlaying(false)
    goTo(step)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: to(at + 1),
    ArrowLeft: to(at - 1),
    Home: to(0),
    End: to(of),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const play = () => {
    if (at >= of) goTo(0)
    setPlaying(!playing)
  }
  return (
    <div role="toolbar" aria-label={words.controls} onKeyDown={onKeyDown} className="flex flex-wrap gap-1.5">
      <Button onPress={to(0)}>{words.before}</Button>
      <Button onPress={to(at - 1)}>{words.back}</Button>
      <Button variant="primary" className="w-16" onPress={play}>
        {playing ? words.pause : words.play}
      </Button>
      <Button onPress={to(at + 1)}>{words.step}</Button>
      <Button onPress={to(of)}>{words.after}</Button>
    </div>
  )
}

'use client'
import { useQuery } from '@tanstack/react-query'
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PastChange } from '@/server/api/past/router'
import { useTRPC } from '../../console/trpc'
import { Button, IconButton } from '../../ui/Button'
import { utc } from '../../ui/format'
import { uiWords } from '../../ui/words'
import { PastLine } from '../PastLine'
import { pastWords } from '../words'
import { replayWords as words } from './words'

/** How long playback shows each time. */
const SHOWN_MS = 900

interface SliderProps {
  readonly host: string
  readonly at: number | null
  readonly onAt: (at: number | null) => void
}

/** Replays a host: every time at which its state changed, by slider, keys or playback. */
export function PastSlider({ host, at, onAt }: SliderProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.past.changes.queryOptions({ host }, { enabled: at !== null }))
  if (at === null) {
    return (
      <Button size="sm" variant="quiet" onPress={() => onAt(Date.now())}>
        {pastWords.viewAtTime}
      </Button>
    )
  }
  const changes = query.data
  return (
    <section aria-label={words.slider} className="flex flex-col gap-1 rounded-md bg-twice-wash px-3 py-2 text-sm">
      <PastLine title={words.asItWas(at)} more={words.still} onNow={() => onAt(null)} />
      {/* Its height, so that the map below stays where it is. */}
      {query.isPending ? <div className="h-[54px]" /> : null}
      {changes && changes.length > 0 ? <Stops changes={changes} at={at} onAt={onAt} /> : null}
      {changes?.length === 0 ? <p className="m-0 text-soft">{words.noChanges}</p> : null}
    </section>
  )
}

/** The last time not after `at`; before the first there is none. */
function indexAt(changes: readonly PastChange[], at: number): number {
  return changes.findLastIndex((change) => change.at <= at)
}

function Stops({ changes, at, onAt }: { changes: readonly PastChange[]; at: number; onAt: (at: number) => void }) {
  const index = Math.max(0, indexAt(changes, at))
  const last = changes.length - 1
  const change = changes[index]
  const go = (to: number) => {
    const next = changes[Math.min(last, Math.max(0, to))]
    if (next) onAt(next.at)
  }
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (!playing) return
    const next = changes[index + 1]
    if (!next) return setPlaying(false)
    const timer = setTimeout(() => onAt(next.at), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [playing, index, changes, onAt])
  const text = change ? words.changeText(change.kind, change.instance?.name ?? null, change) : ''
  return (
    <div className="flex flex-wrap items-center gap-2">
      <IconButton label={words.previous} onPress={() => go(index - 1)}>
        <SkipBack size={13} aria-hidden="true" />
      </IconButton>
      <IconButton label={playing ? words.pause : words.play} onPress={() => setPlaying(!playing)}>
        {playing ? <Pause size={13} aria-hidden="true" /> : <Play size={13} aria-hidden="true" />}
      </IconButton>
      <IconButton label={words.next} onPress={() => go(index + 1)}>
        <SkipForward size={13} aria-hidden="true" />
      </IconButton>
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={words.slider}
        aria-valuetext={change ? uiWords.labelled(utc(change.at), text) : ''}
        onChange={(event) => go(Number(event.target.value))}
        className="h-6 min-w-32 flex-1 accent-[var(--accent)]"
      />
      <span className="w-20 text-right text-xs text-soft">{words.nth(index + 1, changes.length)}</span>
      <p className="m-0 w-full truncate text-xs text-soft">{text}</p>
    </div>
  )
}

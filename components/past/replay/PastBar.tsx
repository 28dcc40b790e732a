'use client'
import { useId } from 'react'
import { inputClasses } from '../../ui/field/input-classes'
import { Note } from '../../ui/Message'
import { useNow } from '../../ui/time/Clock'
import { useRange } from '../PastButton'
import { PastLine } from '../PastLine'
import { replayWords as words } from './words'

const CLOCKS_DIFFER_MS = 60_000 // the server's tolerance for "now" as well

interface PastProps {
  readonly at: number
  readonly onAt: (at: number | null) => void
}

/** Above a page that shows the past: an unmistakable mark. */
export function PastBar({ at, onAt }: PastProps) {
  const { data } = useRange()
  const from = data?.from
  return (
    <div className="pb-2">
      <Note tone="twice" shape="diamond">
        <div className="-my-1">
          <PastLine title={words.asItWas(at)} more={words.still} onNow={() => onAt(null)}>
            <TimeField at={at} onAt={onAt} />
          </PastLine>
        </div>
        {from === undefined ? null : <WhyUnknown at={at} from={from} />}
      </Note>
    </div>
  )
}

/** Why nothing is known for that time; the server refuses the query for the same reasons. */
function WhyUnknown({ at, from }: { at: number; from: number }) {
  const now = useNow()
  const why = at < from ? words.unknownBefore(from) : at > now + CLOCKS_DIFFER_MS ? words.notYet : null
  return why === null ? null : <p className="m-0 pt-1">{why}</p>
}

function TimeField({ at, onAt }: { at: number; onAt: (at: number) => void }) {
  const id = useId()
  return (
    <span className="grid min-w-0 grid-cols-[auto_minmax(0,14rem)] items-center gap-2">
      <label htmlFor={id} className="text-xs whitespace-nowrap text-soft">
        {words.time}
      </label>
      <input
        id={id}
        type="datetime-local"
        step={1}
        className={inputClasses}
        value={new Date(at).toISOString().slice(0, 19)}
        onChange={(event) => {
          const next = Date.parse(`${event.target.value}Z`)
          if (!Number.isNaN(next)) onAt(next)
        }}
      />
    </span>
  )
}

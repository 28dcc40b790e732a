import type { LayoutRow, LayoutState } from '@/server/api/layout/view'
import { StateBadge } from '../ui/Badge'
import { cx } from '../ui/cx'
import { count } from '../ui/format'
import { layoutBadges, layoutMeans, layoutWords as words } from './words'

const STATES = Object.keys(layoutBadges) as readonly LayoutState[]

/** Hosts by conversion state. A click filters by that state; a second click clears the filter. */
export function StateCounts(props: {
  readonly rows: readonly LayoutRow[]
  readonly state: LayoutState | null
  readonly onState: (state: LayoutState | null) => void
}) {
  const counts = new Map<LayoutState, number>()
  for (const { state } of props.rows) counts.set(state, (counts.get(state) ?? 0) + 1)
  return (
    <ul
      aria-label={words.states}
      className="m-0 grid list-none grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2 p-0"
    >
      {STATES.map((state) => (
        <li key={state}>
          <button
            type="button"
            aria-pressed={props.state === state}
            onClick={() => props.onState(props.state === state ? null : state)}
            className={cx(
              'flex h-full w-full cursor-default flex-col gap-0.5 rounded-lg border px-3 py-2 text-left hover:bg-hover',
              props.state === state ? 'border-accent bg-accent-wash' : 'border-line bg-surface',
            )}
          >
            <span className="flex flex-wrap items-baseline justify-between gap-x-2">
              <StateBadge badge={layoutBadges[state]} />
              <span className="text-lg font-semibold">{count(counts.get(state) ?? 0)}</span>
            </span>
            <span className="text-2xs text-soft">{layoutMeans[state]}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

import { cx } from '../../ui/cx'
import { fills } from './PlaceButton'
import { mapWords, OWN_STATES, placeBadges, type UnitState } from './words'

/** The marks of the picture in words. Uses the same classes as the places, so it cannot go stale. */
export function MapLegend({ states = OWN_STATES }: { states?: readonly UnitState[] }) {
  return (
    <ul aria-label={mapWords.legend} className="m-0 flex list-none flex-wrap gap-x-4 gap-y-1 p-0 text-xs text-soft">
      {states.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cx('inline-block h-[18px] w-[24px] rounded-[2px]', fills[state])} />
          {placeBadges[state].label}
        </li>
      ))}
    </ul>
  )
}

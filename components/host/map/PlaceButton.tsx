import { memo } from 'react'
import { useWords } from '../../claim/words'
import { cx } from '../../ui/cx'
import { uiWords } from '../../ui/words'
import type { MapUnit } from './places'
import { mapWords, placeBadges, type UnitState } from './words'

// One place on the picture: a thread, a function, a slot. Incoming is an arrow to the right, outgoing one to the left,
// both hatched; held twice is cross-hatched, held solid, free an outline. None of it depends on colour.

export const fills: Readonly<Record<UnitState, string>> = {
  free: 'border border-edge/50 bg-map-free text-faint',
  held: 'bg-map-held text-map-on-held',
  incoming: 'hatch-incoming text-map-on-held [clip-path:polygon(0_0,76%_0,100%_50%,76%_100%,0_100%)] pr-[3px]',
  outgoing:
    'hatch-outgoing text-[oklch(0.2_0.02_60)] [clip-path:polygon(24%_0,100%_0,100%_100%,24%_100%,0_50%)] pl-[3px]',
  double: 'hatch-double text-on-fill font-semibold',
  shared: 'border border-b-2 border-dotted border-faint bg-map-shared text-soft',
  unpinned: 'border border-dotted border-edge bg-map-free text-faint',
  reserved: 'border border-dashed border-edge bg-sunken text-faint',
  blocked: 'stripes-blocked border border-edge/50 text-ink',
  missing: 'border border-dashed border-bad text-bad line-through',
}

/** How many hold it is in words only: a number beside the id reads as a part of it. */
const titleOf = ({ title, state, holders }: MapUnit): string =>
  state === 'double' ? mapWords.heldBy(title, holders.length) : title

export function placeText(place: MapUnit): string {
  const where = place.numaNode === null ? mapWords.noNumaNode : mapWords.cell(place.numaNode)
  const holders = place.holders.flatMap(({ holder, use }) => [
    holder.instance.name,
    placeBadges[holder.mark].label,
    useWords[use],
  ])
  return uiWords.list([titleOf(place), place.kind, where, placeBadges[place.state].label, ...holders])
}

export const PlaceButton = memo(function PlaceButton(props: {
  readonly place: MapUnit
  readonly text: string
  readonly wide?: boolean
  readonly kept: boolean
}) {
  const { place, text, wide, kept } = props
  const use = place.holders[0]?.use
  return (
    <button
      type="button"
      data-place={place.unit}
      data-instance={place.holders.map(({ holder }) => holder.instance.id).join(' ') || undefined}
      data-mark={place.state}
      data-vcpu={place.holders[0]?.vcpu ?? undefined}
      tabIndex={-1}
      aria-label={placeText(place)}
      title={place.state === 'double' ? titleOf(place) : undefined}
      aria-pressed={kept}
      className={cx(
        'group/place inline-flex h-[18px] cursor-default rounded-[3px] p-0 data-[hot]:outline-2 data-[hot]:outline-offset-1 data-[hot]:outline-accent',
        wide ? 'min-w-[34px]' : 'w-[24px]',
        kept && 'outline-2 outline-offset-1 outline-ink',
      )}
    >
      <span
        className={cx(
          'flex size-full items-center justify-center rounded-[2px] text-[9.5px] leading-none tabular-nums',
          wide && 'px-1.5',
          fills[place.state],
          place.state === 'held' && place.shade === 1 && 'bg-map-held-alt',
          use === 'sibling' && 'opacity-60',
          use === 'emulator' && 'underline underline-offset-2',
        )}
      >
        {text}
      </span>
    </button>
  )
})

import { type ReactNode, useContext } from 'react'
import { useWords } from '../../claim/words'
import { paths } from '../../console/paths'
import { operationWords, stepBadges } from '../../step/words'
import { Badge, StateBadge } from '../../ui/Badge'
import { count } from '../../ui/format'
import { Glyph } from '../../ui/Glyph'
import { TextLink } from '../../ui/Link'
import { toneText } from '../../ui/tone'
import { InstanceHref } from './links'
import type { MapUnit, UnitHolder } from './places'
import { mapWords, placeBadges, type UnitState } from './words'

/** Describes in words what the picture marks. Fixed position and width, so that pointing around moves nothing. */
export function Inspector(props: {
  readonly place: MapUnit | null
  readonly counts: ReadonlyMap<UnitState, number>
  readonly states: readonly UnitState[]
  readonly floatingVcpus: number
  readonly about: ReactNode
  readonly children: ReactNode
}) {
  const { place, counts, states } = props
  return (
    <aside
      aria-label={mapWords.inspector}
      className="sticky top-0 flex w-72 shrink-0 flex-col gap-3 self-start rounded-lg border border-line bg-surface p-3 text-sm max-lg:static max-lg:w-full"
    >
      <div className="h-48 overflow-auto" aria-live="polite">
        {place ? <PlaceFacts place={place} /> : <Hint />}
      </div>
      {props.about}
      <div className="border-t border-line pt-2">
        <h2 className="m-0 pb-1 text-xs font-medium text-soft">{mapWords.counts}</h2>
        <ul className="m-0 grid list-none grid-cols-2 gap-x-3 gap-y-0.5 p-0 text-xs">
          {states.map((state) => (
            <li key={state} className="flex items-center gap-1.5">
              <Glyph shape={placeBadges[state].shape} className={toneText[placeBadges[state].tone]} />
              <span className="min-w-0 flex-1 text-soft">{placeBadges[state].label}</span>
              <span>{count(counts.get(state) ?? 0)}</span>
            </li>
          ))}
          {props.floatingVcpus > 0 ? (
            <li className="flex items-center gap-1.5">
              <Glyph shape="half" className={toneText.idle} />
              <span className="min-w-0 flex-1 text-soft">{mapWords.floatingCount}</span>
              <span>{count(props.floatingVcpus)}</span>
            </li>
          ) : null}
        </ul>
      </div>
      {props.children}
    </aside>
  )
}

const Hint = () => <p className="m-0 text-soft">{mapWords.inspectHint}</p>

function PlaceFacts({ place }: { place: MapUnit }) {
  const where = [
    place.numaNode === null ? mapWords.noNumaNode : mapWords.cell(place.numaNode),
    place.socket === null ? null : mapWords.socket(place.socket),
    place.siblings.length > 0 ? mapWords.core(place.siblings) : null,
  ]
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-mono text-sm font-medium">{place.title}</span>
        <Badge badge={placeBadges[place.state]} />
      </div>
      <p className="m-0 text-xs text-soft">
        {place.kind} {place.label}
        <br />
        {mapWords.where(where)}
      </p>
      {place.holders.length > 0 ? (
        <ul className="m-0 flex list-none flex-col gap-2 p-0">
          {place.holders.map((holder) => (
            <li key={holder.holder.claim} className="rounded-md bg-sunken p-2">
              <HolderFacts holder={holder} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function HolderFacts({ holder: { holder, use, vcpu } }: { holder: UnitHolder }) {
  const hrefOf = useContext(InstanceHref)
  return (
    <div className="flex flex-col gap-0.5">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-medium" title={holder.instance.name}>
          <TextLink href={hrefOf(holder.instance.id)}>{holder.instance.name}</TextLink>
        </span>
        <StateBadge badge={placeBadges[holder.mark]} className="text-xs" />
      </div>
      <span className="text-xs text-soft">
        {useWords[use]}
        {vcpu === null ? null : ' · '}
        {vcpu === null ? null : mapWords.vcpu(vcpu)}
      </span>
      {holder.migration ? (
        <TextLink href={paths.migration(holder.migration.id)} className="text-xs">
          {operationWords[holder.migration.operation].noun} · {stepBadges[holder.migration.step].label}
        </TextLink>
      ) : null}
    </div>
  )
}

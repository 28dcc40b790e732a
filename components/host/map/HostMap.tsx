import dynamic from 'next/dynamic'
import { type ReactNode, useMemo } from 'react'
import type { HostMapView } from '@/server/api/host/map'
import { Pending } from '../../console/Failure'
import { paths } from '../../console/paths'
import { operationWords } from '../../step/words'
import { Glyph } from '../../ui/Glyph'
import { TextLink } from '../../ui/Link'
import { EmptyState, Note } from '../../ui/Message'
import { Picture } from './Picture'
import { countStates, type TwoHoldings, twoHoldings, unitsOnMap } from './places'
import { mapWords, OWN_STATES, type UnitState } from './words'

// Loaded on demand.
const MapTable = dynamic(() => import('./MapTable').then((code) => code.MapTable), { loading: () => <Pending /> })

export interface HostMapProps {
  readonly view: HostMapView
  readonly as: 'picture' | 'table'
  /** The place kept in the address. */
  readonly selectedUnit: string | null
  readonly onSelectUnit: (unit: string | null) => void
  /** More about the place in the address, below the inspector's text. */
  readonly about?: ReactNode
  /** The possible states of a CPU or device on it. */
  readonly states?: readonly UnitState[]
}

/** NUMA nodes, CPUs, pages and devices of one host, with their holders (N3). */
export function HostMap({ view, as, selectedUnit, onSelectUnit, about, states = OWN_STATES }: HostMapProps) {
  const units = useMemo(() => unitsOnMap(view), [view])
  const counts = useMemo(() => countStates(units.values()), [units])
  const holdings = useMemo(() => twoHoldings(view), [view])
  if (view.cells.length === 0 && view.devices.length === 0) {
    return <EmptyState title={mapWords.empty}>{mapWords.emptyMore}</EmptyState>
  }
  if (as === 'table') return <MapTable places={[...units.values()]} />
  return (
    <div className="flex flex-col gap-3">
      <TwoHoldingsNote holdings={holdings} />
      <Picture {...{ view, units, counts, states, selectedUnit, onSelectUnit, about }} />
    </div>
  )
}

function TwoHoldingsNote({ holdings }: { holdings: readonly TwoHoldings[] }) {
  if (holdings.length === 0) return null
  return (
    <Note tone="twice" shape="diamond">
      <strong className="font-medium">{mapWords.twoHoldings}.</strong> {mapWords.twoHoldingsMore}
      <ul className="m-0 mt-1 list-none p-0">
        {holdings.map(({ instance, migration, old, new: fresh }) => (
          <li key={instance.id} className="flex flex-wrap items-baseline gap-x-3">
            <TextLink href={paths.instance(instance.id)}>{instance.name}</TextLink>
            {migration ? (
              <TextLink href={paths.migration(migration.id)}>{operationWords[migration.operation].noun}</TextLink>
            ) : null}
            <span className="font-mono text-xs">
              {mapWords.old} {old} <Glyph shape="arrow" className="inline" /> {mapWords.new} {fresh}
            </span>
          </li>
        ))}
      </ul>
    </Note>
  )
}

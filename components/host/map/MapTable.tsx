import { useContext } from 'react'
import type { Ref } from '@/server/api/names/names'
import { useWords } from '../../claim/words'
import { paths } from '../../console/paths'
import { operationWords } from '../../step/words'
import { dash } from '../../ui/dash'
import { TextLink } from '../../ui/Link'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { uiWords } from '../../ui/words'
import { InstanceHref } from './links'
import type { MapUnit } from './places'
import { mapWords, placeBadges } from './words'

// The picture as a table: the same places and words, sortable and exportable.

const names = (place: MapUnit) => uiWords.list(place.holders.map(({ holder }) => holder.instance.name))

const migrationOf = (place: MapUnit) => place.holders.find(({ holder }) => holder.migration)?.holder.migration
const usesOf = (place: MapUnit) =>
  mapWords.uses(
    place.holders.map(({ use, vcpu }) => uiWords.list([useWords[use], vcpu === null ? null : mapWords.vcpu(vcpu)])),
  )

function HolderLink({ instance: { id, name } }: { instance: Ref }) {
  const hrefOf = useContext(InstanceHref)
  return (
    <TextLink href={hrefOf(id)} className="pr-2">
      {name}
    </TextLink>
  )
}

export const mapColumns: readonly Column<MapUnit>[] = [
  {
    id: 'unit',
    head: mapWords.table.unit,
    fixed: true,
    minWidth: 112,
    value: (place) => place.unit,
    cell: (place) => <span className="font-mono text-xs">{place.unit}</span>,
  },
  { id: 'kind', head: mapWords.table.kind, width: 110, value: (place) => place.kind },
  { id: 'cell', head: mapWords.table.cell, width: 70, align: 'end', value: (p) => p.numaNode },
  {
    id: 'state',
    head: mapWords.table.state,
    width: 132,
    keep: true,
    badge: (place) => placeBadges[place.state],
  },
  {
    id: 'holder',
    head: mapWords.table.holder,
    minWidth: 110,
    keep: true,
    value: names,
    cell: (place) =>
      place.holders.length === 0
        ? dash
        : place.holders.map(({ holder }) => <HolderLink key={holder.claim} instance={holder.instance} />),
  },
  {
    id: 'use',
    head: mapWords.table.use,
    width: 170,
    value: (place) => uiWords.list(place.holders.map(({ use }) => useWords[use])),
    exported: usesOf,
    cell: (place) => usesOf(place) || dash,
  },
  {
    id: 'move',
    head: mapWords.table.migration,
    width: 130,
    value: (place) => place.holders[0]?.holder.migration?.operation ?? null,
    exported: (place) => {
      const migration = migrationOf(place)
      return migration ? operationWords[migration.operation].noun : null
    },
    cell: (place) => {
      const migration = migrationOf(place)
      return migration ? (
        <TextLink href={paths.migration(migration.id)}>{operationWords[migration.operation].noun}</TextLink>
      ) : (
        dash
      )
    },
  },
  { id: 'label', head: mapWords.table.label, width: 200, value: (p) => p.label, cell: (p) => p.label || dash },
]

const rowKey = (place: MapUnit) => place.unit

export function MapTable({ places }: { places: readonly MapUnit[] }) {
  return <Table label={mapWords.title} columns={mapColumns} rows={places} rowKey={rowKey} />
}

import type { ForeignFleetView } from '@/server/api/provider/foreign'
import { count, plural } from '../ui/format'

/** Words of a fleet that only Nova keeps. */
export const novaWords = {
  title: 'Fleet managed by Nova',
  facts: (trees: number, { instances, migrations, others, unknown }: ForeignFleetView['consumers']) =>
    [
      plural(trees, 'provider tree'),
      plural(instances, 'instance'),
      plural(migrations, 'migration'),
      ...(unknown > 0 ? [`${plural(unknown, 'consumer')} of unknown type`] : []),
      ...(others > 0 ? [plural(others, 'other consumer')] : []),
    ].join(', '),
  unknown:
    'Nova reports only inventories and allocations to Berth. Unknown, needs a connection to the cloud: host and instance names, where a guest runs, its state, its flavor.',
  connect: 'Connect the cloud',
  allClaims: 'All claims',
  allTrees: 'Provider trees',
  capacity: 'Capacity',
  moves: 'Migrations of Nova in progress',
  movesCount: (shown: number, all: number) => (shown < all ? `${count(shown)} longest of ${count(all)}` : null),
  noMoves: 'No migration in progress',
  noMovesMore:
    'A migration appears when Nova gives the allocation of an instance to it, and ends when Nova deletes it or gives it back.',
  noTarget: 'nothing claimed',
  shapes: 'Shapes claimed',
  shapesCount: (shown: number, all: number) => (shown < all ? `${count(shown)} most frequent of ${count(all)}` : null),
  noShapes: 'No allocations',
  noShapesMore: 'Shapes appear with the first claim of Nova.',
  migrationsHelp: 'Consumers of this shape that are the source half of a migration.',
  columns: {
    ...{ instance: 'Instance', migration: 'Migration', source: 'Source', target: 'Target', amounts: 'Amounts' },
    ...{ since: 'For', shape: 'Amounts', consumers: 'Consumers', migrations: 'Migrations' },
  },
} as const

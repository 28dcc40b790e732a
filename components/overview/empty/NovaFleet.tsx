import type { ForeignFleetView, HeldShapeView, SwapView } from '@/server/api/provider/foreign'
import { amountList } from '../../claim/amount/words'
import { paths } from '../../console/paths'
import { Copyable } from '../../ui/Copyable'
import { dash } from '../../ui/dash'
import { count } from '../../ui/format'
import { TextLink } from '../../ui/Link'
import { EmptyState } from '../../ui/Message'
import { Panel } from '../../ui/Panel'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { CapacityTable } from '../CapacityTable'
import { emptyFleetWords } from './words'

// A fleet that only Nova manages, of which Berth knows only the allocations; unknowns are named.

const words = emptyFleetWords.nova
const head = words.columns
const Amounts = ({ of }: { of: HeldShapeView['amounts'] }) => <span className="text-xs">{amountList(of)}</span>
const shortId = (id: string) => <Copyable text={id} short={id.slice(0, 8)} />

const swapColumns: readonly Column<SwapView>[] = [
  {
    id: 'instance',
    head: head.instance,
    width: 104,
    fixed: true,
    value: (row) => row.instance,
    cell: (row) => shortId(row.instance),
  },
  {
    id: 'migration',
    head: head.migration,
    width: 104,
    value: (row) => row.migration,
    cell: (row) => shortId(row.migration),
  },
  { id: 'source', head: head.source, minWidth: 80, value: (row) => row.source },
  {
    id: 'target',
    head: head.target,
    minWidth: 80,
    value: (row) => row.target,
    cell: (row) => row.target ?? <span className="text-warn">{words.noTarget}</span>,
  },
  {
    id: 'amounts',
    head: head.amounts,
    minWidth: 180,
    value: (row) => amountList(row.amounts),
    cell: (row) => <Amounts of={row.amounts} />,
  },
  {
    id: 'at',
    head: head.since,
    width: 88,
    value: (row) => row.at,
    timestamp: true,
  },
]

export function NovaMigrations({ fleet: { swaps, swapCount } }: { fleet: ForeignFleetView }) {
  const empty = <EmptyState title={words.noMigrations}>{words.noMigrationsMore}</EmptyState>
  return (
    <Panel title={words.migrations} aside={words.migrationsCount(swaps.length, swapCount)} flush>
      <Table
        frameless
        label={words.migrations}
        columns={swapColumns}
        rows={swaps}
        rowKey={(row) => row.migration}
        empty={empty}
      />
    </Panel>
  )
}

const shapeColumns: readonly Column<HeldShapeView>[] = [
  {
    id: 'amounts',
    head: head.shape,
    minWidth: 200,
    fixed: true,
    value: (row) => amountList(row.amounts),
    cell: (row) => <Amounts of={row.amounts} />,
  },
  {
    id: 'consumers',
    head: head.consumers,
    width: 112,
    align: 'end',
    value: (row) => row.consumers,
    cell: (row) => count(row.consumers),
  },
  {
    id: 'migrations',
    head: head.migrations,
    help: words.migrationsHelp,
    width: 104,
    align: 'end',
    value: (row) => row.migrations,
    cell: (row) => (row.migrations > 0 ? <span className="text-twice">{count(row.migrations)}</span> : dash),
  },
]

export function AllocatedShapes({ fleet: { shapes, shapeCount } }: { fleet: ForeignFleetView }) {
  const empty = <EmptyState title={words.noShapes}>{words.noShapesMore}</EmptyState>
  return (
    <Panel title={words.shapes} aside={words.shapesCount(shapes.length, shapeCount)} flush>
      <Table
        frameless
        label={words.shapes}
        columns={shapeColumns}
        rows={shapes}
        rowKey={(row) => JSON.stringify(row.amounts)}
        empty={empty}
      />
    </Panel>
  )
}

export function NovaCapacity({ fleet: { capacity } }: { fleet: ForeignFleetView }) {
  return (
    <Panel title={words.capacity} aside={<TextLink href={paths.providers()}>{words.allTrees}</TextLink>} flush>
      <CapacityTable rows={capacity} />
    </Panel>
  )
}

/** The amounts, and what allocations do not show. */
export function NovaFacts({ fleet: { trees, consumers } }: { fleet: ForeignFleetView }) {
  return (
    <Panel title={words.title} aside={<TextLink href={paths.claims()}>{words.allClaims}</TextLink>}>
      <p className="m-0 text-sm">{words.facts(trees, consumers)}</p>
      <p className="m-0 mt-1 max-w-prose text-sm text-soft">
        {words.unknown} <TextLink href={paths.clouds({ add: 'cloud' })}>{words.connect}</TextLink>
      </p>
    </Panel>
  )
}

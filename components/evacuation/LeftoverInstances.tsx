import type { EvacuationView } from '@/server/api/run/evacuation'
import { hostContent, instanceContent } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { evacuationWords } from './words'

const words = evacuationWords.stale
type Stale = EvacuationView['stale'][number]

const columns: readonly Column<Stale>[] = [
  {
    id: 'guest',
    head: words.columns.instance,
    fixed: true,
    minWidth: 140,
    ...instanceContent((row: Stale) => row.instance),
  },
  {
    ...{ id: 'observedState', head: words.columns.observedState, width: 180, keep: true },
    value: (row) => row.observedState,
    parts: [
      { id: 'observedState', head: words.columns.observedState, value: (row) => row.observedState },
      { id: 'observedAt', head: words.columns.observedAt, value: (row) => row.observedAt, timestamp: true },
    ],
    cell: (row) => (
      <span className="flex min-w-0 gap-1.5">
        {row.observedState}
        {row.observedAt === null ? null : (
          <span className="truncate text-faint">
            <RelativeTime at={row.observedAt} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'lives',
    head: words.columns.lives,
    width: 160,
    ...hostContent((row: Stale) => row.livesOn, { none: words.nowhere }),
  },
]

const rowKey = (row: Stale) => row.instance.id

function lookOf({ stale, quarantined }: Pick<EvacuationView, 'stale' | 'quarantined'>) {
  if (quarantined) return words.quarantined
  return stale.length > 0 ? words.toCleanUp : words.free
}

/** Leftovers on a returned host, which must go before it accepts claims. */
export function LeftoverInstances({ view }: { view: Pick<EvacuationView, 'stale' | 'quarantined' | 'contact'> }) {
  return (
    <Panel title={words.title} aside={<StateBadge badge={lookOf(view)} />} flush={view.stale.length > 0}>
      {view.stale.length === 0 ? (
        <p className="m-0 text-sm text-soft">{view.contact === 'answering' ? words.none : words.noneKnown}</p>
      ) : (
        <>
          <p className="m-0 px-3 py-2 text-sm text-soft">{words.more}</p>
          <Table frameless label={words.title} columns={columns} rows={view.stale} rowKey={rowKey} />
        </>
      )}
    </Panel>
  )
}

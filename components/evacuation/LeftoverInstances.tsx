import type { EvacuationView } from '@/server/api/run/evacuation'
import { hostContent, instanceContent } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
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
  { id: 'observedState', head: words.columns.observedState, width: 180, value: (row) => row.observedState },
  {
    id: 'lives',
    head: words.columns.lives,
    width: 160,
    ...hostContent((row: Stale) => row.livesOn, { none: words.nowhere }),
  },
]

const rowKey = (row: Stale) => row.instance.id

/** Leftovers on a returned host, which must go before it accepts claims. */
export function LeftoverInstances({ view }: { view: Pick<EvacuationView, 'stale' | 'quarantined' | 'contact'> }) {
  return (
    <Panel
      title={words.title}
      aside={<StateBadge look={view.quarantined ? words.quarantined : words.free} />}
      flush={view.stale.length > 0}
    >
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

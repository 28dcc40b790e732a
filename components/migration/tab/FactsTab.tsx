'use client'
import { useQuery } from '@tanstack/react-query'
import type { MigrationFact } from '@/server/api/migration/facts'
import { Loaded } from '../../console/Failure'
import { hostContent } from '../../console/refs'
import { useTRPC } from '../../console/trpc'
import type { BadgeContent } from '../../ui/Badge'
import { Unknown } from '../../ui/KeyValue'
import type { Column } from '../../ui/table/column'
import { wholeSeconds } from '../../ui/table/exported'
import { Table } from '../../ui/table/Table'
import { RelativeTime } from '../../ui/time/Clock'
import { sideWords } from '../words'
import { tabWords } from './words'

const words = tabWords.facts

const badges = {
  answered: { shape: 'dot', tone: 'idle', label: words.answered },
  silent: { shape: 'triangle', tone: 'bad', label: words.silent },
} as const satisfies Record<string, BadgeContent>

const rowKey = ({ source, side }: MigrationFact) => `${source} ${side}`

const columns: readonly Column<MigrationFact>[] = [
  {
    id: 'source',
    head: words.source,
    width: 190,
    fixed: true,
    value: (row) => words.of(words.sources[row.source], row.side && sideWords[row.side]),
  },
  {
    id: 'host',
    head: words.host,
    width: 130,
    secondLine: 'value',
    ...hostContent((row: MigrationFact) => row.host),
  },
  { id: 'says', head: words.says, minWidth: 190, keep: true, wraps: true, value: (row) => row.says },
  {
    id: 'answered',
    head: words.state,
    width: 130,
    secondLine: 'value',
    badge: (row) => badges[row.answered ? 'answered' : 'silent'],
  },
  {
    id: 'age',
    head: words.age,
    width: 120,
    secondLine: 'value',
    align: 'end',
    value: (row) => row.at,
    exported: (row, now) => wholeSeconds(row.at && now - row.at),
    exportUnit: 'seconds',
    cell: (row) => (row.at === null ? <Unknown /> : <RelativeTime happened at={row.at} />),
  },
]

/** Reports about the instance, each with its age: records, allocations and both hypervisors. */
export function FactsTab({ id }: { id: string }) {
  const trpc = useTRPC()
  const facts = useQuery(trpc.migration.facts.queryOptions({ id }))
  return (
    <Loaded query={facts} what={words.title} minHeight={220}>
      {(rows) => <Table label={words.title} columns={columns} rows={rows} rowKey={rowKey} />}
    </Loaded>
  )
}

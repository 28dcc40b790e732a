'use client'
import type { LedgerRow } from '@/server/api/ledger/router'
import type { ApiInputs, FieldOf } from '@/server/api/router'
import { ListEmpty } from '../console/list/ListEmpty'
import { ListFailure } from '../console/list/ListFailure'
import { type ListKey, useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { kindWords } from '../finding/words'
import { useAt } from '../past/address'
import { PastBar } from '../past/PastBar'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { FilterField } from '../ui/filter/FilterField'
import { Table } from '../ui/table/Table'
import { ViewsMenu } from '../view/ViewsMenu'
import { LEDGER_SORTS, ledgerColumns } from './columns'
import { DIRECTIONS, orderBy } from './question'
import { ledgerWords, ledgerWords as words } from './words'

const rowKey = (row: LedgerRow) => row.id
const rowName = (row: LedgerRow) => row.consumer.name

/** Who holds what of whom (N2), read from either side, now or as it was. */
export function LedgerPage() {
  const trpc = useTRPC()
  const list = useList(LEDGER_SORTS, ledgerKeys)
  const { at, setAt } = useAt()
  const [chosen, setBy] = useChoice('by', DIRECTIONS)
  const by = chosen ?? 'consumer'
  const input = { ...list.input, order: list.input.order ?? orderBy(by), at: at ?? undefined }
  const { table, error, refetch } = usePagedRows({ input, ask: (page) => trpc.ledger.list.queryOptions(page), rowKey })
  return (
    <>
      <PastBar at={at} onAt={setAt} />
      <Table
        fill
        label={words.title}
        columns={ledgerColumns[by]}
        rowKey={rowKey}
        rowName={rowName}
        {...table}
        {...list.table}
        filters={
          <>
            <FilterField label={words.filter} {...list.filter} />
            <ToggleGroup
              label={words.direction}
              value={by}
              onChange={(next) => void setBy(next === 'consumer' ? null : next)}
              choices={DIRECTIONS.map((id) => ({ id, label: words.directions[id] }))}
            />
            <ViewsMenu />
          </>
        }
        failure={error ? <ListFailure error={error} what={words.title} retry={refetch} /> : null}
        empty={<ListEmpty list={list} words={words} />}
      />
    </>
  )
}

const label = ledgerWords.filters

/** What the rows of the ledger can be filtered by. */
const ledgerKeys: readonly ListKey<FieldOf<ApiInputs['ledger']['list']>>[] = [
  { id: 'consumer', label: label.consumer, also: ['instance'] },
  { id: 'provider', label: label.provider },
  { id: 'host', label: label.host },
  { id: 'class', label: label.class, known: ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] },
  { id: 'kind', label: label.kind, values: ['instance', 'migration', 'other'] },
  { id: 'marks', label: label.marks, values: ['no-claim', ...Object.keys(kindWords)] },
  { id: 'wrote', label: label.wrote },
  { id: 'request', label: label.request },
  { id: 'project', label: label.project },
]

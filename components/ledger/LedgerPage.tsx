'use client'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { LedgerRow } from '@/server/api/contract-look'
import { Failure } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { useAllRows, usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useSort } from '../console/url'
import { consoleWords } from '../console/words'
import { useAt } from '../past/address'
import { PastBar } from '../past/PastBar'
import { Button } from '../ui/Button'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { ToggleGroup } from '../ui/ToggleGroup'
import { Table } from '../ui/table/Table'
import { LEDGER_SORTS, ledgerColumns } from './columns'
import { ledgerWords as words } from './words'

const DIRECTIONS = ['consumer', 'provider'] as const
const ODD = ['yes'] as const
const rowKey = (row: LedgerRow) => row.id
const rowName = (row: LedgerRow) => row.consumer.name

export function LedgerPage() {
  const trpc = useTRPC()
  const address = useLedgerAddress()
  const { at, setAt } = useAt()
  const { sort, onSort } = useSort(LEDGER_SORTS)
  const { q, host, instance, provider, odd } = address
  const by = address.by ?? 'consumer'
  const input = {
    ...{ q: q?.trim() || undefined, host: host ?? undefined, instance: instance ?? undefined },
    ...{ provider: provider ?? undefined, odd: odd ? true : undefined, at: at ?? undefined },
    ...{ sort: sort?.by ?? by, dir: sort?.dir },
  }
  const ask = (offset: number, limit: number) => trpc.ledger.list.queryOptions({ ...input, offset, limit })
  const question = JSON.stringify(input)
  const { rows, total, error, more } = usePages<LedgerRow>(question, ask)
  const allRows = useAllRows<LedgerRow>(ask)
  return (
    <>
      <PastBar at={at} onAt={setAt} />
      {error && !rows ? (
        <Failure error={error} title={consoleWords.error.query(words.title)} />
      ) : (
        <Table
          fill
          label={words.title}
          columns={ledgerColumns[by]}
          rows={rows}
          rowKey={rowKey}
          rowName={rowName}
          total={total}
          question={question}
          sort={sort ?? { by, dir: 'asc' }}
          onSort={onSort}
          onNearEnd={more}
          allRows={allRows}
          filters={<Filters address={address} />}
          empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
        />
      )}
    </>
  )
}

function useLedgerAddress() {
  const [state, setState] = useQueryStates({
    q: parseAsString,
    host: parseAsString,
    instance: parseAsString,
    provider: parseAsString,
    odd: parseAsStringLiteral(ODD),
    by: parseAsStringLiteral(DIRECTIONS),
  })
  return { ...state, set: (values: Partial<typeof state>) => void setState(values) }
}

const ONLY = { host: words.onlyHost, instance: words.onlyInstance, provider: words.onlyProvider } as const

function Filters({ address }: { address: ReturnType<typeof useLedgerAddress> }) {
  const only = (Object.keys(ONLY) as (keyof typeof ONLY)[]).filter((key) => address[key])
  return (
    <>
      <SearchField label={words.filter} value={address.q ?? ''} onChange={(q) => address.set({ q: q || null })} />
      <ToggleGroup
        label={words.direction}
        value={address.by ?? 'consumer'}
        onChange={(by) => address.set({ by })}
        choices={DIRECTIONS.map((id) => ({ id, label: words.directions[id] }))}
      />
      <FilterSelect
        label={words.which}
        any={words.all}
        values={ODD}
        labelOf={() => words.odd}
        value={address.odd}
        onChange={(odd) => address.set({ odd })}
      />
      {only.map((key) => (
        <Button key={key} size="sm" onPress={() => address.set({ [key]: null })}>
          {ONLY[key]} ✕
        </Button>
      ))}
    </>
  )
}

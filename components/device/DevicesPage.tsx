'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { DeviceKindRow, DeviceRow } from '@/server/api/contract-look'
import { Failure, Loaded } from '../console/Failure'
import { FilterSelect } from '../console/ListFilters'
import { useAllRows, usePages } from '../console/pages'
import { useTRPC } from '../console/trpc'
import { useSort } from '../console/url'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { SearchField } from '../ui/Field'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { DEVICE_SORTS, deviceColumns, kindColumns } from './columns'
import { DevicePanel } from './DevicePanel'
import { deviceLooks, deviceWords as words } from './words'

const STATES = ['free', 'held', 'blocked', 'gone'] as const
const kindKey = (row: DeviceKindRow) => row.label
const rowKey = (row: DeviceRow) => row.id
const rowName = (row: DeviceRow) => row.unit

export function DevicesPage() {
  const address = useDeviceAddress()
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Kinds address={address} />
      <div className="flex min-h-[360px] flex-1 gap-3 max-lg:flex-col">
        <Functions address={address} />
        <DevicePanel host={address.host} unit={address.unit} />
      </div>
    </div>
  )
}

function useDeviceAddress() {
  const [state, setState] = useQueryStates({
    q: parseAsString,
    label: parseAsString,
    state: parseAsStringLiteral(STATES),
    /** With a unit, the device that is looked at; alone, the one host whose devices are listed. */
    host: parseAsString,
    unit: parseAsString,
  })
  return { ...state, set: (values: Partial<typeof state>) => void setState(values) }
}

interface AddressProps {
  readonly address: ReturnType<typeof useDeviceAddress>
}

function Kinds({ address }: AddressProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.kinds.queryOptions())
  const pick = (label: string) => address.set({ label: label === address.label ? null : label })
  return (
    <Panel title={words.kinds} flush>
      <Loaded query={query} what={words.kinds} minHeight={120}>
        {(kinds) => (
          <Table
            bare
            frameless
            label={words.kinds}
            columns={kindColumns}
            rows={kinds}
            rowKey={kindKey}
            picked={address.label}
            onPick={(row) => pick(row.label)}
            empty={<EmptyState title={words.empty} />}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function Functions({ address }: AddressProps) {
  const trpc = useTRPC()
  const { sort, onSort } = useSort(DEVICE_SORTS)
  const { q, label, state, host, unit } = address
  const input = {
    ...{ q: q?.trim() || undefined, label: label ?? undefined, state: state ? [state] : undefined },
    ...{ host: (unit ? null : host) ?? undefined, sort: sort?.by, dir: sort?.dir },
  }
  const ask = (offset: number, limit: number) => trpc.device.list.queryOptions({ ...input, offset, limit })
  const question = JSON.stringify(input)
  const { rows, total, error, more } = usePages<DeviceRow>(question, ask)
  const allRows = useAllRows<DeviceRow>(ask)
  if (error && !rows) return <Failure error={error} title={consoleWords.error.query(words.title)} />
  return (
    <Table
      fill
      label={words.list}
      columns={deviceColumns}
      rows={rows}
      rowKey={rowKey}
      rowName={rowName}
      total={total}
      question={question}
      sort={sort}
      onSort={onSort}
      onNearEnd={more}
      allRows={allRows}
      picked={host && unit ? `${host} ${unit}` : null}
      onPick={(row) => address.set({ host: row.host.id, unit: row.unit })}
      filters={<Filters address={address} />}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}

function Filters({ address }: AddressProps) {
  return (
    <>
      <SearchField label={words.filter} value={address.q ?? ''} onChange={(q) => address.set({ q: q || null })} />
      <FilterSelect
        label={words.state}
        any={words.allStates}
        values={STATES}
        labelOf={(state) => deviceLooks[state].label}
        value={address.state}
        onChange={(state) => address.set({ state })}
      />
      {address.label ? (
        <Button size="sm" onPress={() => address.set({ label: null })}>
          {words.onlyLabel(address.label)} ✕
        </Button>
      ) : null}
      {address.host && !address.unit ? (
        <Button size="sm" onPress={() => address.set({ host: null })}>
          {words.onlyHost} ✕
        </Button>
      ) : null}
    </>
  )
}

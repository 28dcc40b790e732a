'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { DEVICE_LIST } from '@/lists/device'
import type { DeviceKindRow, DeviceRow } from '@/server/api/device/list'
import { Loaded } from '../console/Failure'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { cx } from '../ui/cx'
import { onlyValue, withOnly } from '../ui/filter/terms'
import { EmptyState } from '../ui/Message'
import { SectionTitle } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { deviceColumns, kindColumns } from './columns'
import { DevicePanel } from './DevicePanel'
import { deviceWords as words } from './words'

const kindKey = (row: DeviceKindRow) => row.label
const rowName = (row: DeviceRow) => row.unit

/** From the fleet's device kinds to the functions of one kind, and to the holders of a single one. */
export function DevicesPage() {
  const trpc = useTRPC()
  const kinds = useQuery(trpc.device.kinds.queryOptions())
  const known = useMemo(() => ({ label: { known: kinds.data?.map(({ label }) => label) } }), [kinds.data])
  const list = useList(DEVICE_LIST, known)
  const label = onlyValue(list.filter.value, 'label')
  const pick = (next: string) =>
    list.filter.onChange(withOnly(list.filter.value, 'label', next === label ? null : next))
  const [selected, select] = useQueryStates({ host: parseAsString, unit: parseAsString })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Loaded query={kinds} what={words.kinds} minHeight={300}>
        {(rows) => (
          <Table
            label={words.kinds}
            columns={kindColumns}
            rows={rows}
            rowKey={kindKey}
            picked={label}
            onPick={(row) => pick(row.label)}
            filters={<SectionTitle>{words.kinds}</SectionTitle>}
            empty={<EmptyState title={words.empty} />}
          />
        )}
      </Loaded>
      {/* Below a table of unknown height: it would move while that loads. */}
      <div className={cx('flex min-h-[360px] flex-1 gap-3 max-lg:flex-col', kinds.isPending && 'invisible')}>
        <Functions list={list} selected={selected} onSelect={(device) => void select(device)} />
        <DevicePanel host={selected.host} unit={selected.unit} />
      </div>
    </div>
  )
}

interface DeviceSelection {
  readonly host: string | null
  readonly unit: string | null
}

function Functions(props: {
  readonly list: ReturnType<typeof useList<typeof DEVICE_LIST>>
  readonly selected: DeviceSelection
  readonly onSelect: (device: DeviceSelection) => void
}) {
  const trpc = useTRPC()
  const { list, selected } = props
  const paged = usePagedRows({
    input: list.input,
    ask: (page) => trpc.device.list.queryOptions(page),
  })
  return (
    <ListTable
      fill
      label={words.list}
      columns={deviceColumns}
      rowName={rowName}
      list={list}
      paged={paged}
      words={words}
      picked={selected.host && selected.unit ? `${selected.host} ${selected.unit}` : null}
      onPick={(row) => props.onSelect({ host: row.host.id, unit: row.unit })}
    />
  )
}

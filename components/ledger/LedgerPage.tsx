'use client'
import dynamic from 'next/dynamic'
import { LEDGER_LIST } from '@/lists/ledger'
import type { LedgerRow } from '@/server/api/ledger/router'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { kindWords } from '../finding/kind/words'
import { useAt } from '../past/address'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { ViewsMenu } from '../view/ViewsMenu'
import { ledgerColumns } from './columns'
import { Orphans, QuickFilters } from './QuickFilters'
import { DIRECTIONS, orderBy } from './question'
import { ledgerWords as words } from './words'

const PastBar = dynamic(() => import('../past/replay/PastBar').then((code) => code.PastBar), {
  // Its height on one line.
  loading: () => <div className="h-[58px]" />,
})

const rowName = (row: LedgerRow) => row.consumer.name

const known = { marks: { values: ['no-claim', ...Object.keys(kindWords)] } }

/** Claims by consumer or by provider (N2), now or in the past. */
export function LedgerPage() {
  const trpc = useTRPC()
  const list = useList(LEDGER_LIST, known)
  const { at, setAt } = useAt()
  const [chosen, setBy] = useChoice('by', DIRECTIONS)
  const by = chosen ?? 'consumer'
  const input = { ...list.input, order: list.input.order ?? orderBy(by), at: at ?? undefined }
  const paged = usePagedRows({ input, ask: (page) => trpc.ledger.list.queryOptions(page) })
  return (
    <>
      {at === null ? null : <PastBar at={at} onAt={setAt} />}
      <Orphans at={at ?? undefined} filter={list.filter} />
      <ListTable
        fill
        columns={ledgerColumns[by]}
        rowName={rowName}
        list={list}
        paged={paged}
        words={words}
        beside={
          <>
            <ToggleGroup
              label={words.direction}
              value={by}
              onChange={(next) => void setBy(next === 'consumer' ? null : next)}
              choices={DIRECTIONS.map((id) => ({ id, label: words.directions[id] }))}
            />
            <QuickFilters at={at ?? undefined} filter={list.filter} />
            <ViewsMenu />
          </>
        }
      />
    </>
  )
}

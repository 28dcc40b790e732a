import type { Metadata } from 'next'
import { AskedAhead } from '@/app/asked-ahead'
import { firstRows } from '@/components/console/page-rows'
import { LedgerPage } from '@/components/ledger/LedgerPage'
import { usualOrder } from '@/components/ledger/usual-order'
import { ledgerWords } from '@/components/ledger/words'
import { PastButton } from '@/components/past/PastBar'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: ledgerWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  const plain = Object.keys(await searchParams).length === 0
  return (
    <>
      {plain ? <AskedAhead path="ledger.list" input={firstRows({ order: usualOrder() })} /> : null}
      <PageHead title={ledgerWords.title} actions={<PastButton />} facts={ledgerWords.facts} />
      <LedgerPage />
    </>
  )
}

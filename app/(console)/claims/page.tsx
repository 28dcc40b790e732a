import type { Metadata } from 'next'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { LedgerPage } from '@/components/ledger/LedgerPage'
import { firstQuestion } from '@/components/ledger/question'
import { ledgerWords } from '@/components/ledger/words'
import { PastButton } from '@/components/past/PastButton'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: ledgerWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await preloadFirstRows('ledger.list', searchParams, firstQuestion)
  return (
    <>
      <PageHead title={ledgerWords.title} actions={<PastButton />} facts={ledgerWords.facts} />
      <LedgerPage />
    </>
  )
}

import type { Metadata } from 'next'
import { LedgerPage } from '@/components/ledger/LedgerPage'
import { ledgerWords } from '@/components/ledger/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: ledgerWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={ledgerWords.title} facts={ledgerWords.facts} />
      <LedgerPage />
    </>
  )
}

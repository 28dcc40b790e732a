import type { Metadata } from 'next'
import { LedgerPage } from '@/components/ledger/LedgerPage'
import { ledgerWords } from '@/components/ledger/words'
import { PastButton } from '@/components/past/PastBar'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: ledgerWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={ledgerWords.title} actions={<PastButton />} facts={ledgerWords.facts} />
      <LedgerPage />
    </>
  )
}

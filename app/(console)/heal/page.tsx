import type { Metadata } from 'next'
import { findingWords } from '@/components/finding/words'
import { HealPlansPage } from '@/components/heal/HealPlansPage'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: findingWords.page }

export default function Page() {
  return (
    <>
      <PageHead title={findingWords.page} />
      <HealPlansPage />
    </>
  )
}

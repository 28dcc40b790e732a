import type { Metadata } from 'next'
import { findingWords } from '@/components/finding/words'
import { HealHome } from '@/components/heal/HealHome'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: findingWords.page }

export default function Page() {
  return (
    <>
      <PageHead title={findingWords.page} />
      <HealHome />
    </>
  )
}

import type { Metadata } from 'next'
import { AskedAhead } from '@/app/asked-ahead'
import { OverviewPage } from '@/components/overview/OverviewPage'
import { overviewWords } from '@/components/overview/words'

export const metadata: Metadata = { title: overviewWords.title }

export default function Page() {
  return (
    <>
      <AskedAhead path="overview.get" />
      <AskedAhead path="capacity.largest" />
      <OverviewPage />
    </>
  )
}

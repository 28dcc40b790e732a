import type { Metadata } from 'next'
import { OverviewPage } from '@/components/overview/OverviewPage'
import { overviewWords } from '@/components/overview/words'

export const metadata: Metadata = { title: overviewWords.title }

export default function Page() {
  return <OverviewPage />
}

import type { Metadata } from 'next'
import { askEarly } from '@/components/console/list/ask-early'
import { OverviewPage } from '@/components/overview/OverviewPage'
import { overviewWords } from '@/components/overview/words'

export const metadata: Metadata = { title: overviewWords.title }

export default async function Page() {
  await askEarly('overview.get')
  return <OverviewPage />
}

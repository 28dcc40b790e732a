import type { Metadata } from 'next'
import { preloadQuery } from '@/components/console/list/preload-first-rows'
import { OverviewPage } from '@/components/overview/OverviewPage'
import { overviewWords } from '@/components/overview/words'

export const metadata: Metadata = { title: overviewWords.title }

export default async function Page() {
  await preloadQuery('overview.get')
  return <OverviewPage />
}

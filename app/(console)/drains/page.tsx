import type { Metadata } from 'next'
import { RunsPage } from '@/components/drain/RunsPage'
import { drainWords } from '@/components/drain/words'

export const metadata: Metadata = { title: drainWords.title }

export default function Page() {
  return <RunsPage />
}

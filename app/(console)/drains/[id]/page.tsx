import type { Metadata } from 'next'
import { RunPage } from '@/components/drain/RunPage'
import { drainWords } from '@/components/drain/words'

export const metadata: Metadata = { title: drainWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <RunPage id={id} />
}

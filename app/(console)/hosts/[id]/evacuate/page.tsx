import type { Metadata } from 'next'
import { EvacuationPage } from '@/components/evacuation/EvacuationPage'
import { evacuationWords } from '@/components/evacuation/words'

export const metadata: Metadata = { title: evacuationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <EvacuationPage host={id} />
}

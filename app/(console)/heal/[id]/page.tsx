import type { Metadata } from 'next'
import { HealPage } from '@/components/heal/HealPage'
import { healWords } from '@/components/heal/words'

export const metadata: Metadata = { title: healWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <HealPage id={id} />
}

import type { Metadata } from 'next'
import { TreePage } from '@/components/provider/TreePage'
import { providerWords } from '@/components/provider/words'

export const metadata: Metadata = { title: providerWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <TreePage id={id} />
}

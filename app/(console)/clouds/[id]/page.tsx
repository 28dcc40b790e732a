import type { Metadata } from 'next'
import { CloudPage } from '@/components/cloud/CloudPage'
import { cloudWords } from '@/components/cloud/words'

export const metadata: Metadata = { title: cloudWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <CloudPage id={id} />
}

import type { Metadata } from 'next'
import { hostWords } from '@/components/host/words'
import { HostContent } from '@/components/preview/HostContent'

export const metadata: Metadata = { title: hostWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <HostContent id={id} />
}

import type { Metadata } from 'next'
import { hostWords } from '@/components/host/words'
import { WholeHost } from '@/components/look/WholeHost'

export const metadata: Metadata = { title: hostWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <WholeHost id={id} />
}

import type { Metadata } from 'next'
import { instanceWords } from '@/components/instance/words'
import { InstanceContent } from '@/components/preview/InstanceContent'

export const metadata: Metadata = { title: instanceWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <InstanceContent id={id} />
}

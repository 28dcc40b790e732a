import type { Metadata } from 'next'
import { CloudHostPage } from '@/components/cloud/witness/CloudHostPage'
import { witnessWords } from '@/components/cloud/witness/words'

export const metadata: Metadata = { title: witnessWords.host }

export default async function Page({ params }: { params: Promise<{ id: string; host: string }> }) {
  const { id, host } = await params
  return <CloudHostPage id={id} host={decodeURIComponent(host)} />
}

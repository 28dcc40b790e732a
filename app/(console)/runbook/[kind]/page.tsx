import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RunbookPage } from '@/components/runbook/RunbookPage'
import { isRunbookKind } from '@/components/runbook/runbook'
import { runbookWords } from '@/components/runbook/words'

export const metadata: Metadata = { title: runbookWords.title }

export default async function Page({ params }: { params: Promise<{ kind: string }> }) {
  const { kind } = await params
  if (!isRunbookKind(kind)) notFound()
  return <RunbookPage kind={kind} />
}

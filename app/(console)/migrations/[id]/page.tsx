import type { Metadata } from 'next'
import { migrationWords } from '@/components/migration/words'
import { MigrationContent } from '@/components/preview/MigrationContent'

export const metadata: Metadata = { title: migrationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <MigrationContent id={id} />
}

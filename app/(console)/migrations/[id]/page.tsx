import type { Metadata } from 'next'
import { MigrationContent } from '@/components/look/MigrationContent'
import { migrationWords } from '@/components/migration/words'

export const metadata: Metadata = { title: migrationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <MigrationContent id={id} />
}

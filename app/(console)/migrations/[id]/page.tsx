import type { Metadata } from 'next'
import { WholeMigration } from '@/components/look/WholeMigration'
import { migrationWords } from '@/components/migration/words'

export const metadata: Metadata = { title: migrationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <WholeMigration id={id} />
}

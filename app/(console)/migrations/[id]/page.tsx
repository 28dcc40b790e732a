import type { Metadata } from 'next'
import { EventList } from '@/components/event/EventList'
import { MigrationPage } from '@/components/migration/MigrationPage'
import { migrationWords } from '@/components/migration/words'

export const metadata: Metadata = { title: migrationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return <MigrationPage id={id} events={<EventList about={{ migration: id }} />} />
}

import type { Metadata } from 'next'
import { AdvisePanel } from '@/components/advice/AdvisePanel'
import { BundleButton } from '@/components/bundle/BundleButton'
import { EventList } from '@/components/event/EventList'
import { FindingsPanel } from '@/components/finding/FindingsPanel'
import { MigrationPage } from '@/components/migration/MigrationPage'
import { migrationWords } from '@/components/migration/words'

export const metadata: Metadata = { title: migrationWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <MigrationPage
      id={id}
      adviser={<AdvisePanel about={{ kind: 'migration', id }} />}
      findings={<FindingsPanel about={{ kind: 'migration', id }} />}
      events={<EventList about={{ migration: id }} />}
      actions={<BundleButton about={{ migration: id }} />}
    />
  )
}

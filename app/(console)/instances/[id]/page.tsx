import type { Metadata } from 'next'
import { EventList } from '@/components/event/EventList'
import { FindingsPanel } from '@/components/finding/FindingsPanel'
import { InstancePage } from '@/components/instance/InstancePage'
import { instanceWords } from '@/components/instance/words'
import { MigrationTable } from '@/components/migration/MigrationTable'

export const metadata: Metadata = { title: instanceWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <InstancePage
      id={id}
      moves={<MigrationTable view="all" instance={id} />}
      findings={<FindingsPanel about={{ kind: 'instance', id }} />}
      events={<EventList about={{ instance: id }} />}
    />
  )
}

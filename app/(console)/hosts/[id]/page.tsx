import type { Metadata } from 'next'
import { HostClaims } from '@/components/claim/HostClaims'
import { EventList } from '@/components/event/EventList'
import { HostView } from '@/components/host/HostView'
import { hostWords } from '@/components/host/words'
import { InstanceTable } from '@/components/instance/InstanceTable'
import { MigrationTable } from '@/components/migration/MigrationTable'

export const metadata: Metadata = { title: hostWords.one }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <HostView
      id={id}
      instances={<InstanceTable host={id} />}
      claims={<HostClaims host={id} />}
      moves={<MigrationTable view="all" host={id} />}
      events={<EventList about={{ host: id }} />}
    />
  )
}

import type { Metadata } from 'next'
import { AdvisePanel } from '@/components/advice/AdvisePanel'
import { BundleButton } from '@/components/bundle/BundleButton'
import { HostClaims } from '@/components/claim/HostClaims'
import { DrainButtons } from '@/components/drain/DrainButtons'
import { EventList } from '@/components/event/EventList'
import { FindingsPanel } from '@/components/finding/FindingsPanel'
import { PlaceFindings } from '@/components/finding/PlaceFindings'
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
      adviser={<AdvisePanel about={{ kind: 'host', id }} />}
      findings={<FindingsPanel about={{ kind: 'host', id }} />}
      place={<PlaceFindings host={id} />}
      actions={
        <>
          <BundleButton about={{ host: id }} />
          <DrainButtons host={id} />
        </>
      }
      events={<EventList about={{ host: id }} />}
    />
  )
}

'use client'
import { AdvisePanel } from '../advice/AdvisePanel'
import { BundleButton } from '../bundle/BundleButton'
import { HostClaims } from '../claim/HostClaims'
import { DrainButtons } from '../drain/DrainButtons'
import { EventList } from '../event/EventList'
import { FindingsPanel } from '../finding/FindingsPanel'
import { PlaceFindings } from '../finding/PlaceFindings'
import { HostView } from '../host/HostView'
import { InstanceTable } from '../instance/InstanceTable'
import { MigrationTable } from '../migration/MigrationTable'

/** A host with everything that other nouns say of it: the page to work on, and the drawer to look at. */
export function WholeHost({ id }: { id: string }) {
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

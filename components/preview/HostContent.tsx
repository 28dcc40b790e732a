'use client'
import { BundleButton } from '../bundle/BundleButton'
import { DrainButtons } from '../drain/DrainButtons'
import { HostView } from '../host/HostView'
import {
  AdvisePanel,
  EventList,
  FindingsPanel,
  HostClaims,
  InstanceTable,
  MigrationTable,
  PlaceFindings,
} from './parts'

/** A host with all views of other nouns about it, for its page and for the preview drawer. */
export function HostContent({ id }: { id: string }) {
  return (
    <HostView
      id={id}
      instances={<InstanceTable host={id} />}
      claims={<HostClaims host={id} />}
      migrations={<MigrationTable view="all" host={id} />}
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

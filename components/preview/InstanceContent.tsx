'use client'
import { InstancePage } from '../instance/InstancePage'
import { EventList, FindingsPanel, MigrationTable } from './parts'

/** An instance with all views of other nouns about it, for its page and for the preview drawer. */
export function InstanceContent({ id }: { id: string }) {
  return (
    <InstancePage
      id={id}
      migrations={<MigrationTable view="all" instance={id} />}
      findings={<FindingsPanel about={{ kind: 'instance', id }} />}
      events={<EventList about={{ instance: id }} />}
    />
  )
}

'use client'
import { InstancePage } from '../instance/InstancePage'
import { EventList, FindingsPanel, MigrationTable } from './parts'

/** An instance with everything that other nouns say of it: the page to work on, and the drawer to look at. */
export function WholeInstance({ id }: { id: string }) {
  return (
    <InstancePage
      id={id}
      moves={<MigrationTable view="all" instance={id} />}
      findings={<FindingsPanel about={{ kind: 'instance', id }} />}
      events={<EventList about={{ instance: id }} />}
    />
  )
}

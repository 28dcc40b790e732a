'use client'
import { BundleButton } from '../bundle/BundleButton'
import { MigrationPage } from '../migration/MigrationPage'
import { AdvisePanel, EventList, FindingsPanel } from './parts'

/** A move with everything that other nouns say of it: the page to work on, and the drawer to look at. */
export function WholeMigration({ id }: { id: string }) {
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

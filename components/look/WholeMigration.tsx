'use client'
import { AdvisePanel } from '../advice/AdvisePanel'
import { BundleButton } from '../bundle/BundleButton'
import { EventList } from '../event/EventList'
import { FindingsPanel } from '../finding/FindingsPanel'
import { MigrationPage } from '../migration/MigrationPage'

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

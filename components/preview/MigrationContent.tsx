'use client'
import { BundleButton } from '../bundle/BundleButton'
import { MigrationPage } from '../migration/MigrationPage'
import { AdvisePanel, EventList, FindingsPanel } from './parts'

/** A migration with all views of other nouns about it, for its page and for the preview drawer. */
export function MigrationContent({ id }: { id: string }) {
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

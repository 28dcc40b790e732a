'use client'
import { AliasForm } from './AliasForm'
import type { Editing } from './edit'
import { FlavorForm } from './FlavorForm'
import { GroupForm } from './GroupForm'

export function EditDialog({ editing, onClose }: { editing: Editing; onClose: () => void }) {
  switch (editing.kind) {
    case 'flavor':
      return <FlavorForm editing={editing} onClose={onClose} />
    case 'group':
      return <GroupForm editing={editing} onClose={onClose} />
    case 'alias':
      return <AliasForm editing={editing} onClose={onClose} />
    default:
      return editing satisfies never
  }
}

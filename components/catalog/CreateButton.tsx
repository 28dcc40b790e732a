'use client'
import { Button } from '../ui/Button'
import type { Editing } from './edit'
import { kindWords } from './words'

/** Makes a new entry of the kind that is shown. */
export function CreateButton(props: {
  readonly kind: Editing['kind']
  readonly why: string | null
  readonly onEdit: (editing: Editing) => void
}) {
  const { kind, why, onEdit } = props
  return (
    <Button look={why ? 'plain' : 'primary'} why={why} onPress={() => onEdit({ kind, entry: null, does: 'set' })}>
      {kindWords[kind].create}
    </Button>
  )
}

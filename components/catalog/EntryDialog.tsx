'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CatalogKind, CatalogValues } from '@/server/api/catalog/router'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { TextField } from '../ui/field/Field'
import { showToast } from '../ui/overlay/Toasts'
import type { CatalogEdit } from './edit'
import type { ParseResult } from './lines'
import { kindWords, catalogWords as words } from './words'

export interface FormProps<Kind extends CatalogKind> {
  readonly editing: Extract<CatalogEdit, { kind: Kind }>
  readonly onClose: () => void
}

interface EntryDialogProps<Kind extends CatalogKind> extends FormProps<Kind> {
  /** The entry as currently typed, or its parse errors. */
  readonly typed: ParseResult<CatalogValues[Kind]>
  readonly children: ReactNode
}

/** Edits one entry from the version shown; a concurrent change is not overwritten. */
export function EntryDialog<Kind extends CatalogKind>(props: EntryDialogProps<Kind>) {
  const { editing, typed, onClose } = props
  const { kind, entry, does } = editing
  const name = entry?.value.name ?? (typed.ok ? typed.value.name : '')
  const text = kindWords[kind]
  const verb = does === 'delete' ? text.remove(name) : entry ? text.change(name) : text.create
  const set = useSet(kind, () => {
    showToast('ok', (does === 'delete' ? text.removed : entry ? text.changed : text.created)(name))
    onClose()
  })
  return (
    <MutationDialog
      needsReason
      danger={does === 'delete'}
      onClose={onClose}
      confirmLabel={verb}
      disabledReason={typed.ok ? null : typed.why}
      consequences={
        does === 'delete' ? (
          <p className="m-0">{words.gone(text.noun)}</p>
        ) : (
          <div className="flex flex-col gap-3">{props.children}</div>
        )
      }
      mutation={set}
      onConfirm={(reason) => {
        const after = does === 'delete' || !typed.ok ? null : typed.value
        set.mutate({ before: entry?.value ?? null, after, reason: reason ?? '' })
      }}
    />
  )
}

interface SetInput {
  readonly before: unknown
  readonly after: unknown
  readonly reason: string
}

/** The procedures take the same kind of input; the form's type has already checked which entry it is. */
function useSet(kind: CatalogKind, onDone: () => void) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: SetInput) => {
      const procedures = {
        flavor: client.catalog.setFlavor,
        group: client.catalog.setGroup,
        alias: client.catalog.setAlias,
      }
      return (procedures[kind].mutate as (input: SetInput) => Promise<{ name: string }>)(input)
    },
    onSuccess: onDone,
    onSettled: () => {
      void queries.invalidateQueries(trpc.catalog.pathFilter())
      void queries.invalidateQueries(trpc.flavor.pathFilter())
      void queries.invalidateQueries(trpc.group.pathFilter())
    },
  })
}

/** A name is set on creation and never changes. */
export function NameField(props: {
  readonly value: string
  readonly isNew: boolean
  readonly onChange: (name: string) => void
}) {
  const { value, isNew, onChange } = props
  if (!isNew) return null
  return <TextField label={words.name} value={value} onChange={onChange} help={words.nameFixed} autoFocus isRequired />
}

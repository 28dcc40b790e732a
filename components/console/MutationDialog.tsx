'use client'
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/overlay/ConfirmDialog'
import { ActionFailure } from './Failure'

interface MutationDialogProps extends Omit<ConfirmDialogProps, 'title' | 'isPending' | 'error'> {
  /** If omitted, the verb. */
  readonly title?: string
  /** Names the action that failed, if not the verb. */
  readonly what?: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
}

/** Confirms an action. It stays open while the action is sent, and if it fails. */
export function MutationDialog({ title, what, mutation, ...props }: MutationDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      title={title ?? props.confirmLabel}
      isPending={mutation.isPending}
      error={<ActionFailure error={mutation.error} what={what ?? props.confirmLabel} />}
    />
  )
}

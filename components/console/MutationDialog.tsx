'use client'
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/overlay/ConfirmDialog'
import { ActionFailure, Failure } from './Failure'
import { consoleWords } from './words'

const words = consoleWords.error

interface MutationDialogProps extends Omit<ConfirmDialogProps, 'title' | 'isPending' | 'error'> {
  /** If omitted, the verb. */
  readonly title?: string
  /** Names the action that failed, if not the verb. */
  readonly what?: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  /** Why its consequences are unknown. */
  readonly queryError?: unknown
}

/** Confirms an action. It stays open while the action is sent, and if it fails. */
export function MutationDialog({ title, what, mutation, queryError, ...props }: MutationDialogProps) {
  const { error } = mutation
  return (
    <ConfirmDialog
      {...props}
      title={title ?? props.confirmLabel}
      isPending={mutation.isPending}
      error={
        !error && queryError ? (
          <Failure error={queryError} title={words.query(words.consequences)} />
        ) : (
          <ActionFailure error={error} what={what ?? props.confirmLabel} />
        )
      }
    />
  )
}

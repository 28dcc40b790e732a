'use client'
import { lazy, type ReactNode, useId } from 'react'
import { Dialog } from './Dialog'

export interface ConfirmDialogProps {
  readonly onClose: () => void
  readonly title: string
  /** The verb with its count: `Release 8 cores on h-07`. */
  readonly confirmLabel: string
  /** Consequences in numbers. `null` while they load: the button waits for them. */
  readonly consequences: ReactNode | null
  /** Consequences that may be long, such as a plan: below the fields, which stay in view. `null` while they load. */
  readonly details?: ReactNode | null
  readonly danger?: boolean
  /** The name to type before the most dangerous actions. */
  readonly typedName?: string | null
  readonly needsReason?: boolean
  /** Given at an earlier step of the same flow: shown and passed on, not requested again. */
  readonly givenReason?: string | null
  readonly isPending?: boolean
  readonly disabledReason?: string | null
  readonly error?: ReactNode
  readonly onConfirm: (reason: string | undefined) => void
}

const ConfirmForm = lazy(() => import('./ConfirmForm').then((code) => ({ default: code.ConfirmForm })))

export function ConfirmDialog(props: ConfirmDialogProps) {
  const consequences = useId()
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={props.title}
      wide={props.details !== undefined}
      role="alertdialog"
      describedBy={consequences}
    >
      <ConfirmForm {...props} describedBy={consequences} />
    </Dialog>
  )
}

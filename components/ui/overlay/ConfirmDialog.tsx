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
    <Dialog isOpen onClose={props.onClose} title={props.title} role="alertdialog" describedBy={consequences}>
      <ConfirmForm {...props} describedBy={consequences} />
    </Dialog>
  )
}

'use client'
import { lazy, type ReactNode } from 'react'
import { LateOverlay } from './LateOverlay'

// Overlays load on first open, so that no page waits for them: the code that handles focus, scrolling and the
// background is as large as a small page.

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
  readonly role?: 'dialog' | 'alertdialog'
  /** Id of the text that is read out when it opens. */
  readonly describedBy?: string
}

export interface DrawerProps extends Omit<DialogProps, 'role' | 'wide' | 'describedBy'> {
  /** `preview` keeps the names in the list behind it legible; `menu` opens from the left. */
  readonly wide?: 'narrow' | 'preview' | 'work' | 'menu'
}

export interface ModalProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly label: string
  readonly children: ReactNode
}

const DialogOverlay = lazy(() => import('./overlays').then((code) => ({ default: code.DialogOverlay })))
const ModalOfLabel = lazy(() => import('./overlays').then((code) => ({ default: code.ModalOfLabel })))
const DrawerOverlay = lazy(() => import('./overlays').then((code) => ({ default: code.DrawerOverlay })))

const late = ({ isOpen, onClose }: Pick<DialogProps, 'isOpen' | 'onClose'>, overlay: ReactNode) =>
  isOpen ? <LateOverlay onClose={onClose}>{overlay}</LateOverlay> : null

export function Dialog(props: DialogProps) {
  return late(props, <DialogOverlay {...props} />)
}

/** A dialog without a heading, named by a label. */
export function Modal(props: ModalProps) {
  return late(props, <ModalOfLabel {...props} />)
}

/** A panel from the right for work that needs space: the page behind stays legible. */
export function Drawer(props: DrawerProps) {
  return late(props, <DrawerOverlay {...props} />)
}

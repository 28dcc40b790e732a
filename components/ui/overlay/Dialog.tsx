'use client'
import { lazy, type ReactNode, Suspense } from 'react'

// What opens over a page is loaded when it opens first, so that no page waits for it: focus, scroll and what is behind
// are kept by code that is as large as a small page.

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
  readonly wide?: boolean
  readonly role?: 'dialog' | 'alertdialog'
}

export interface DrawerProps extends Omit<DialogProps, 'role' | 'wide'> {
  /** `look` leaves the names of the list behind it to be read; `menu` comes from the left. */
  readonly wide?: 'narrow' | 'look' | 'work' | 'menu'
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

export function Dialog(props: DialogProps) {
  return <Suspense fallback={null}>{props.isOpen ? <DialogOverlay {...props} /> : null}</Suspense>
}

/** A dialog that is all content, named by a label instead of a heading. */
export function Modal(props: ModalProps) {
  return <Suspense fallback={null}>{props.isOpen ? <ModalOfLabel {...props} /> : null}</Suspense>
}

/** A panel from the right for work that needs room: the page behind stays readable. */
export function Drawer(props: DrawerProps) {
  return <Suspense fallback={null}>{props.isOpen ? <DrawerOverlay {...props} /> : null}</Suspense>
}

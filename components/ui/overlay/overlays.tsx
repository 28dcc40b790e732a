'use client'
import { X } from 'lucide-react'
import { Heading, ModalOverlay, Dialog as RacDialog, Modal as RacModal } from 'react-aria-components'
import { IconButton } from '../Button'
import { cx } from '../cx'
import { uiWords } from '../words'
import type { DialogProps, DrawerProps, ModalProps } from './Dialog'

// The overlays themselves, loaded with the first one that opens: see Dialog.tsx.

const veil = 'fixed inset-0 z-40 bg-[oklch(0.1_0.01_258/0.45)]'

export function DialogOverlay({
  isOpen,
  onClose,
  title,
  children,
  foot,
  wide,
  role = 'dialog',
  describedBy,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={role === 'dialog'}
      className={cx(veil, 'flex items-start justify-center p-4 pt-[10vh]')}
    >
      <RacModal
        className={cx(
          'w-full rounded-lg border border-line bg-raised shadow-pop outline-none',
          wide ? 'max-w-3xl' : 'max-w-lg',
        )}
      >
        <Sheet {...{ role, title, onClose, foot, describedBy }} className="max-h-[80vh]">
          {children}
        </Sheet>
      </RacModal>
    </ModalOverlay>
  )
}

export function ModalOfLabel(props: ModalProps) {
  return (
    <ModalOverlay
      isOpen={props.isOpen}
      onOpenChange={(open) => !open && props.onClose()}
      isDismissable
      className={cx(veil, 'flex items-start justify-center p-4 pt-[10vh]')}
    >
      <RacModal className="w-full max-w-2xl rounded-lg border border-line bg-raised shadow-pop outline-none">
        <RacDialog aria-label={props.label} className="outline-none">
          {props.children}
        </RacDialog>
      </RacModal>
    </ModalOverlay>
  )
}

const DRAWERS = {
  narrow: 'right-0 max-w-[560px] border-l',
  preview: 'right-0 max-w-[min(60rem,72vw)] border-l max-md:max-w-full',
  work: 'right-0 max-w-[1080px] border-l',
  menu: 'left-0 max-w-[280px] border-r',
} as const satisfies Readonly<Record<NonNullable<DrawerProps['wide']>, string>>

export function DrawerOverlay({ isOpen, onClose, title, children, foot, wide }: DrawerProps) {
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable className={veil}>
      <RacModal
        className={cx(
          'fixed inset-y-0 flex w-full flex-col border-line bg-surface shadow-pop outline-none',
          DRAWERS[wide ?? 'narrow'],
        )}
      >
        <Sheet title={title} onClose={onClose} foot={foot} className="min-h-0 flex-1">
          {children}
        </Sheet>
      </RacModal>
    </ModalOverlay>
  )
}

interface SheetProps extends Omit<DialogProps, 'isOpen' | 'wide'> {
  readonly className: string
}

/** Title, scrolling content, and footer with actions. */
function Sheet({ title, onClose, foot, role, describedBy, className, children }: SheetProps) {
  return (
    <RacDialog role={role} aria-describedby={describedBy} className={cx('flex flex-col outline-none', className)}>
      <div className="flex min-h-11 shrink-0 items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4">
        <Heading slot="title" className="m-0 min-w-0 text-base font-semibold wrap-anywhere">
          {title}
        </Heading>
        <IconButton label={uiWords.close} onPress={onClose}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 scroll-pb-14 overflow-auto px-4 py-3">{children}</div>
      {foot ? (
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
          {foot}
        </div>
      ) : null}
    </RacDialog>
  )
}

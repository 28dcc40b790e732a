'use client'
import { type FormEvent, type KeyboardEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../Button'
import { TextField } from '../field/Field'
import { Skeleton } from '../Skeleton'
import { uiWords } from '../words'
import type { ConfirmDialogProps } from './ConfirmDialog'

function blocked(props: ConfirmDialogProps, typed: string, reason: string): string | null {
  if (props.disabledReason) return props.disabledReason
  if (props.consequences === null || props.details === null) return uiWords.loading
  if (props.typedName && typed.trim() !== props.typedName) return uiWords.typeToConfirm(props.typedName)
  if (props.needsReason && !props.givenReason && reason.trim().length < 3) return uiWords.reason
  return null
}

/** The content of a ConfirmDialog. */
export function ConfirmForm(props: ConfirmDialogProps & { readonly describedBy: string }) {
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useFirstField(form, [props.typedName, props.needsReason, props.givenReason].map(Boolean).join())
  const why = blocked(props, typed, reason)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!why && !props.isPending) props.onConfirm(props.givenReason ?? (reason.trim() || undefined))
  }
  return (
    <form ref={form} onSubmit={submit} onKeyDown={submitOnCtrlEnter} className="flex flex-col gap-3">
      <div id={props.describedBy} className="min-h-16">
        {/* Their code may still be loading: the dialog around them must stay, and keep the focus. */}
        <Suspense fallback={<Awaited />}>{props.consequences ?? <Awaited />}</Suspense>
      </div>
      {props.typedName ? (
        <TextField mono label={uiWords.typeToConfirm(props.typedName)} value={typed} onChange={setTyped} />
      ) : null}
      {props.givenReason ? (
        <p className="m-0 text-soft">{uiWords.labelled(uiWords.reason, props.givenReason)}</p>
      ) : props.needsReason ? (
        <TextField multiline label={uiWords.reason} help={uiWords.reasonHelp} value={reason} onChange={setReason} />
      ) : null}
      {props.error}
      {props.details === undefined ? null : <Suspense fallback={<Awaited />}>{props.details ?? <Awaited />}</Suspense>}
      {/* In view however long the consequences are. */}
      <div className="sticky -bottom-3 z-1 -mx-4 -mb-3 flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-raised px-4 py-2.5">
        <Button onPress={props.onClose}>{uiWords.cancel}</Button>
        <Button
          type="submit"
          variant={props.danger ? 'danger' : 'primary'}
          disabledReason={why}
          isPending={props.isPending}
          // A long name wraps: cut names may look the same, and the way out must stay in view.
          className="h-auto! min-h-7 max-w-full py-0.5 wrap-anywhere whitespace-normal!"
        >
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  )
}

const FIELD = 'input, textarea, select:not([tabindex="-1"]), [aria-haspopup=listbox]'

/**
 * The first field takes the focus from its dialog, also when it appears with the consequences, unless the user is
 * already somewhere in the dialog. Not on a touch screen, whose keyboard would cover the consequences.
 */
function useFirstField(form: RefObject<HTMLFormElement | null>, fields: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when other fields are there
  useEffect(() => {
    // After the dialog, which takes the focus itself in an effect that follows.
    queueMicrotask(() => {
      const dialog = form.current?.closest('[role=alertdialog]')
      const field = form.current?.querySelector<HTMLElement>(FIELD)
      if (!dialog || !field || window.matchMedia?.('(pointer: coarse)').matches) return
      const { activeElement } = document
      if (activeElement === dialog || !dialog.contains(activeElement)) field.focus()
    })
  }, [form, fields])
}

/** In a reason, Enter begins a new line. */
function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** Placeholder of the consequences. */
const Awaited = () => (
  <div aria-busy="true" className="flex flex-col gap-[18px] py-2">
    <span className="sr-only">{uiWords.loading}</span>
    <Skeleton className="w-4/5" />
    <Skeleton className="w-3/5" />
  </div>
)

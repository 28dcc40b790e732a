'use client'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useIsShown } from '../console/is-shown'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { showToast } from '../ui/overlay/Toasts'
import type { Answer } from './auth'

interface SubmitFormProps<T> {
  readonly submitLabel: string
  /** Why it cannot be sent yet. */
  readonly disabledReason: string | null
  readonly submit: () => Promise<Answer<T>>
  readonly onDone: (value: T) => void
  readonly children: ReactNode
}

/** A form that sends its fields and reports errors beside its button, or in a toast if it is gone by then. */
export function SubmitForm<T>({ submitLabel, disabledReason, submit: ask, onDone, children }: SubmitFormProps<T>) {
  const isShown = useIsShown()
  const call = useMutation({
    mutationFn: ask,
    onSuccess: (answer) => {
      if (answer.ok) onDone(answer.value)
      else if (!isShown()) showToast('bad', submitLabel, { detail: answer.why })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (disabledReason === null) call.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {children}
      <div role="alert">
        {call.data && !call.data.ok ? (
          <Note tone="bad" shape="cross">
            {call.data.why}
          </Note>
        ) : null}
      </div>
      <Button
        type="submit"
        variant="primary"
        disabledReason={disabledReason}
        isPending={call.isPending}
        className="self-end"
      >
        {submitLabel}
      </Button>
    </form>
  )
}

'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Permit } from '@/server/api/permit/rights'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { cx } from '../ui/cx'
import { Checkbox } from '../ui/field/Checkbox'
import { TextField } from '../ui/field/Field'
import { Dialog } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import { addressOf } from './query'
import { viewWords as words } from './words'

export interface SaveViewProps {
  readonly path: string
  readonly query: string
  readonly share: Permit
  readonly onClose: () => void
}

export function SaveView({ path, query, share, onClose }: SaveViewProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = useMutation(
    trpc.view.save.mutationOptions({
      onSuccess: () => {
        const link = { href: addressOf({ path, query }), label: name }
        showToast('ok', words.saved(name), { detail: words.savedMore, link })
        void queries.invalidateQueries(trpc.view.pathFilter())
        onClose()
      },
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ path, query, name, shared })
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextField label={words.name} help={words.nameHelp} value={name} onChange={setName} isRequired autoFocus />
        <Checkbox label={words.share} isSelected={shared} onChange={setShared} isDisabled={!share.ok} />
        {share.ok ? null : <p className="m-0 text-xs text-soft">{words.shareNot(share.why)}</p>}
        <p className="m-0 flex flex-col gap-1 text-xs text-soft">
          {words.what}
          <span className={cx('break-all text-ink', query && 'font-mono')}>
            {query ? decodeURIComponent(query) : words.everything}
          </span>
        </p>
        <ActionFailure error={save.error} what={words.title} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{uiWords.cancel}</Button>
          <Button variant="primary" type="submit" isPending={save.isPending}>
            {words.verb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

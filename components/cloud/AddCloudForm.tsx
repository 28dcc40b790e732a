'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { type CloudUpload, cloudName } from '@/forms/cloud'
import { ActionFailure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Note } from '../ui/Message'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { addCloudWords as words } from './words'

/** Opens the cloud's page after adding it. */
export function AddCloudForm({ upload, isReached }: { upload: CloudUpload; isReached: boolean }) {
  const trpc = useTRPC()
  const { push } = useRouter()
  const [name, setName] = useState(upload.cloud ?? '')
  const [reason, setReason] = useState('')
  const add = useMutation(
    trpc.cloud.add.mutationOptions({
      onSuccess: ({ cloud }) => {
        showToast('ok', words.added(name.trim()))
        push(paths.cloud(cloud))
      },
    }),
  )
  const read = cloudName.safeParse(name.trim())
  const wrong = read.success ? null : (read.error.issues[0]?.message ?? null)
  const why = !isReached
    ? words.unreached
    : wrong !== null
      ? words.needName
      : reason.trim() === ''
        ? words.needReason
        : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why === null && !add.isPending) add.mutate({ name: name.trim(), upload, reason: reason.trim() })
  }
  return (
    <Panel title={words.sections.add}>
      <form onSubmit={submit} className="flex max-w-3xl flex-col gap-3">
        <TextField mono label={words.name} value={name} onChange={setName} error={wrong} />
        <Note tone="idle" shape="pause">
          {words.readOnly}
        </Note>
        <TextField label={words.reason} help={words.reasonHelp} value={reason} onChange={setReason} />
        <ActionFailure error={add.error} what={words.notAdded} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" disabledReason={why} isPending={add.isPending}>
            {words.add(name.trim())}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Ref } from '@/server/api/names/names'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Select } from '../ui/field/Select'
import { Dialog } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import { leftoverWords as words } from './words'

const choice = ({ name }: { name: string }) => ({ id: name, label: name })

/** The record of an adopted instance. The server claims what the domain really has, or says why that does not fit. */
export function AdoptDialog({ host, instance, onClose }: { host: Ref; instance: Ref; onClose: () => void }) {
  const trpc = useTRPC()
  const flavors = useQuery(trpc.flavor.list.queryOptions())
  const images = useQuery(trpc.image.list.queryOptions())
  const [name, setName] = useState('')
  const [project, setProject] = useState('')
  const [flavor, setFlavor] = useState<string | null>(null)
  const [image, setImage] = useState<string | null>(null)
  const adopt = useMutation(
    trpc.power.adopt.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.adopted(name), { detail: words.adoptedMore })
        onClose()
      },
    }),
  )
  const complete = name !== '' && project !== '' && flavor !== null && image !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!complete) return
    adopt.mutate({ host: host.id, instance: instance.id, name, project, flavor, image })
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.adoptTitle(host.name)}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p className="m-0">{words.adoptMeans}</p>
        <TextField mono label={words.name} value={name} onChange={setName} autoFocus />
        <TextField label={words.project} value={project} onChange={setProject} />
        <Select label={words.flavor} choices={(flavors.data ?? []).map(choice)} value={flavor} onChange={setFlavor} />
        <Select label={words.image} choices={(images.data ?? []).map(choice)} value={image} onChange={setImage} />
        <ActionFailure error={adopt.error} what={words.adopt} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{uiWords.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            disabledReason={complete ? null : words.incomplete}
            isPending={adopt.isPending}
          >
            {words.adopt}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

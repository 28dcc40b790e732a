'use client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { CLOUD_INTERFACES, type CloudUpload } from '@/forms/cloud'
import type { CloudChoice } from '@/server/api/cloud/clouds'
import { ActionFailure, Pending } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Select } from '../ui/field/Select'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import type { Files } from './CloudFiles'
import { addCloudWords as words } from './words'

interface Props {
  readonly files: Files
  readonly onBack: () => void
  readonly onProbe: (upload: CloudUpload) => void
}

const uploadOf = ({ clouds, secure, ca }: Files): CloudUpload => ({
  ...{ clouds, secure: secure.trim() === '' ? null : secure, ca: ca.trim() === '' ? null : ca },
  ...{ cloud: null, region: null, interface: null },
})

/** Selects the cloud and region from those in the files. */
export function ChooseCloud({ files, onBack, onProbe }: Props) {
  const trpc = useTRPC()
  const { mutate, data, error } = useMutation(trpc.cloud.choices.mutationOptions({ meta: { onlyWhileOpen: true } }))
  useEffect(() => mutate(uploadOf(files)), [mutate, files])
  return (
    <Panel
      title={words.cloud}
      aside={
        <Button size="sm" onPress={onBack}>
          {words.change}
        </Button>
      }
    >
      <ActionFailure error={error} what={words.notRead} />
      {data ? (
        <Choices clouds={data} upload={uploadOf(files)} onProbe={onProbe} />
      ) : error ? null : (
        <Pending minHeight={120} />
      )}
    </Panel>
  )
}

const AS_FILE = 'as-file'

interface ChoicesProps {
  readonly clouds: readonly CloudChoice[]
  readonly upload: CloudUpload
  readonly onProbe: (upload: CloudUpload) => void
}

function Choices({ clouds, upload, onProbe }: ChoicesProps) {
  const [name, setName] = useState(clouds.find(({ problems }) => problems.length === 0)?.name ?? clouds[0]?.name ?? '')
  const [region, setRegion] = useState<string | null>(null)
  const [face, setFace] = useState<(typeof CLOUD_INTERFACES)[number] | typeof AS_FILE>(AS_FILE)
  const chosen = clouds.find((each) => each.name === name)
  const [problem] = chosen?.problems ?? []
  const regions = chosen?.regions ?? []
  const why = problem ? words.problem(problem) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why !== null) return
    const chosenRegion = regions.length > 1 ? (region ?? regions[0] ?? null) : null
    onProbe({ ...upload, cloud: name, region: chosenRegion, interface: face === AS_FILE ? null : face })
  }
  return (
    <form onSubmit={submit} className="flex max-w-3xl flex-col gap-3">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        <Select
          label={words.cloud}
          value={name}
          onChange={(next) => {
            setName(next)
            setRegion(null)
          }}
          choices={clouds.map((each) => ({ id: each.name, label: each.name }))}
        />
        <Select
          label={words.region}
          value={regions.length > 0 ? (region ?? regions[0] ?? '') : ''}
          onChange={setRegion}
          choices={
            regions.length > 0 ? regions.map((id) => ({ id, label: id })) : [{ id: '', label: words.onlyRegion }]
          }
        />
        <Select
          label={words.interface}
          value={face}
          onChange={setFace}
          choices={[{ id: AS_FILE, label: words.asFile }, ...CLOUD_INTERFACES.map((id) => ({ id, label: id }))]}
        />
      </div>
      {why === null ? null : (
        <Note tone="warn" shape="triangle">
          {why}
        </Note>
      )}
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabledReason={why}>
          {words.probe}
        </Button>
      </div>
    </form>
  )
}

'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { type DaemonAddress, DEFAULT_PORT, type HostAddition, hostAddition } from '@/forms/connection'
import type { HostPreview } from '@/server/api/connection/connections'
import { ActionFailure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/field/Checkbox'
import { TextField } from '../ui/field/Field'
import { Note } from '../ui/Message'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { type Control, ControlFields, NO_CONTROL } from './ControlFields'
import { connectionWords as words } from './words'

interface Props {
  readonly preview: HostPreview
  readonly address: DaemonAddress
}

const controlOf = ({ isOn, hasPeer, host, pkiPath, dataAddress, pool }: Control): HostAddition['control'] =>
  isOn
    ? {
        peer: hasPeer ? { kind: 'tls', host: host.trim(), port: DEFAULT_PORT.tls, pkiPath: pkiPath.trim() } : null,
        dataAddress: dataAddress.trim() || null,
        pool: pool.trim() || null,
      }
    : null

/** Name, CPUs for pinned instances, and whether Berth may change anything there. */
export function AddForm({ preview, address }: Props) {
  const [name, setName] = useState(preview.name)
  const [dedicated, setDedicated] = useState('')
  const [control, setControl] = useState<Control>(NO_CONTROL)
  const [reason, setReason] = useState('')
  const add = useAdd()
  const { fingerprint } = preview
  const addition = { address, fingerprint, name: name.trim(), dedicated: dedicated.trim(), control: controlOf(control) }
  const read = hostAddition.safeParse(addition)
  const wrong = (...field: readonly string[]) =>
    read.error?.issues.find(({ path }) => field.every((key, at) => path[at] === key))?.message ?? null
  const why = read.success ? (reason.trim() === '' ? words.needReason : null) : (read.error.issues[0]?.message ?? null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why === null && !add.isPending) add.mutate({ ...addition, reason: reason.trim() })
  }
  return (
    <Panel title={words.sections.add}>
      <form onSubmit={submit} className="flex max-w-3xl flex-col gap-3">
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TextField mono label={words.name} value={name} onChange={setName} error={wrong('name')} />
          <TextField
            mono
            label={words.dedicated}
            help={words.dedicatedHelp}
            value={dedicated}
            onChange={setDedicated}
            error={wrong('dedicated')}
          />
        </div>
        <Checkbox
          label={words.control}
          isSelected={control.isOn}
          onChange={(isOn) => setControl({ ...control, isOn })}
        />
        <Note tone={control.isOn ? 'warn' : 'idle'} shape={control.isOn ? 'triangle' : 'pause'}>
          {control.isOn ? words.controlMeans : words.readOnly}
        </Note>
        {control.isOn ? <ControlFields control={control} onChange={setControl} wrong={wrong} /> : null}
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

/** Opens the host's map after adding it. */
function useAdd() {
  const trpc = useTRPC()
  const { push } = useRouter()
  return useMutation(
    trpc.connection.add.mutationOptions({
      onSuccess: ({ host }, { name }) => {
        showToast('ok', words.added(name))
        push(paths.host(host))
      },
    }),
  )
}

'use client'
import type { FormEvent } from 'react'
import { type DaemonAddress, TRANSPORTS } from '@/forms/connection'
import type { ConnectionFiles } from '@/server/api/connection/connections'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/field/Checkbox'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { Select } from '../ui/field/Select'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { Note } from '../ui/Message'
import { type Draft, readDraft } from './draft'
import { transportWords, connectionWords as words } from './words'

interface Props {
  readonly files: ConnectionFiles
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly onProbe: (address: DaemonAddress) => void
}

export function ConnectionForm({ files, draft, onChange, onProbe }: Props) {
  const read = readDraft(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (read.ok) onProbe(read.address)
  }
  return (
    <form onSubmit={submit} className="flex max-w-3xl flex-col gap-3">
      <p className="m-0 text-sm text-soft">{words.readOnlyFirst}</p>
      <div>
        <ToggleGroup
          label={words.transport}
          value={draft.kind}
          onChange={(kind) => onChange({ ...draft, kind })}
          choices={TRANSPORTS.map((id) => ({ id, label: transportWords[id] }))}
        />
      </div>
      {draft.kind === 'unix' ? (
        <FileChoice
          label={words.socket}
          none={words.noSockets}
          paths={files.sockets}
          folders={files.folders}
          value={draft.socketPath}
          onChange={(socketPath) => onChange({ ...draft, socketPath })}
        />
      ) : (
        <RemoteFields files={files} draft={draft} onChange={onChange} />
      )}
      <Checkbox
        label={words.session}
        isSelected={draft.isSession}
        onChange={(isSession) => onChange({ ...draft, isSession })}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabledReason={read.ok ? null : words.incomplete}>
          {words.probe}
        </Button>
      </div>
    </form>
  )
}

function RemoteFields({ files, draft, onChange }: Omit<Props, 'onProbe'>) {
  const { kind } = draft
  if (kind === 'unix') return null
  const read = readDraft(draft)
  // An empty field is not an error.
  const wrong = (field: 'host' | 'user') => (read.ok || draft[field] === '' ? null : (read.wrong[field] ?? null))
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
        <TextField
          mono
          label={words.host}
          value={draft.host}
          error={wrong('host')}
          onChange={(host) => onChange({ ...draft, host })}
        />
        <NumberField
          isName
          label={words.port}
          value={draft.ports[kind]}
          onChange={(port) => onChange({ ...draft, ports: { ...draft.ports, [kind]: port } })}
        />
      </div>
      {kind === 'tls' ? (
        <FileChoice
          label={words.pki}
          none={words.noPki}
          help={words.pkiHelp}
          paths={files.pkiPaths}
          folders={files.folders}
          value={draft.pkiPath}
          onChange={(pkiPath) => onChange({ ...draft, pkiPath })}
        />
      ) : (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <TextField
            mono
            label={words.user}
            help={words.userHelp}
            value={draft.user}
            error={wrong('user')}
            onChange={(user) => onChange({ ...draft, user })}
          />
          <Select
            label={words.key}
            help={words.keyHelp}
            value={draft.keyPath}
            onChange={(keyPath) => onChange({ ...draft, keyPath })}
            choices={[{ id: '', label: words.ownKey }, ...files.keyPaths.map((id) => ({ id, label: id }))]}
          />
        </div>
      )}
    </>
  )
}

interface FileChoiceProps {
  readonly label: string
  readonly none: string
  readonly help?: string
  readonly paths: readonly string[]
  readonly folders: readonly string[]
  readonly value: string
  readonly onChange: (path: string) => void
}

/** One of the files that the server offers; users never type a path. */
function FileChoice({ label, none, help, paths, folders, value, onChange }: FileChoiceProps) {
  if (paths.length === 0) {
    return (
      <Note tone="warn" shape="triangle">
        <p className="m-0">{none}</p>
        <p className="m-0 text-soft">{words.searchedIn(folders)}</p>
      </Note>
    )
  }
  return (
    <Select
      label={label}
      help={help}
      value={value}
      onChange={onChange}
      choices={paths.map((id) => ({ id, label: id }))}
    />
  )
}

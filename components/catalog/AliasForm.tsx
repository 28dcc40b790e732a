'use client'
import { useState } from 'react'
import type { PciAlias } from '@/server/engine/demand'
import { TextField } from '../ui/field/Field'
import { Select } from '../ui/field/Select'
import { EntryDialog, type FormProps, NameField } from './EntryDialog'
import { devicesText, type Read, readDevices } from './lines'
import { numaWords, catalogWords as words } from './words'

type Policy = NonNullable<PciAlias['numaPolicy']>
const NEW: PciAlias = { name: '', spec: [], numaPolicy: 'legacy' }
const POLICIES = Object.keys(numaWords) as Policy[]

export function AliasForm(props: FormProps<'alias'>) {
  const { entry } = props.editing
  const [alias, setAlias] = useState<PciAlias>(entry?.value ?? NEW)
  const [spec, setSpec] = useState(devicesText(alias.spec))
  const read = readDevices(spec)
  const typed: Read<PciAlias> = read.ok ? { ok: true, value: { ...alias, spec: read.value } } : read
  const uses = entry?.uses ?? 0
  return (
    <EntryDialog {...props} typed={typed}>
      <NameField value={alias.name} isNew={entry === null} onChange={(name) => setAlias({ ...alias, name })} />
      <TextField
        multiline
        mono
        label={words.spec}
        help={words.specHelp}
        value={spec}
        onChange={setSpec}
        error={read.ok ? null : read.why}
      />
      <Select
        label={words.numa}
        value={alias.numaPolicy ?? 'legacy'}
        onChange={(numaPolicy) => setAlias({ ...alias, numaPolicy })}
        choices={POLICIES.map((id) => ({ id, label: id, detail: numaWords[id] }))}
      />
      {uses > 0 ? <p className="m-0 text-soft">{words.fixedSpec(uses)}</p> : null}
    </EntryDialog>
  )
}

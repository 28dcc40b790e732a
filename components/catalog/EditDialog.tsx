'use client'

import { useState } from 'react'
import type { GroupEntry } from '@/server/api/catalog/router'
import type { PciAlias } from '@/server/engine/demand'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { Select } from '../ui/field/Select'
import { EntryDialog, type FormProps, NameField } from './EntryDialog'
import type { CatalogEdit } from './edit'
import { FlavorForm } from './FlavorForm'
import { devicesText, type ParseResult, readDevices } from './lines'
import { numaWords, policyWords, catalogWords as words } from './words'

export function EditDialog({ editing, onClose }: { editing: CatalogEdit; onClose: () => void }) {
  switch (editing.kind) {
    case 'flavor':
      return <FlavorForm editing={editing} onClose={onClose} />
    case 'group':
      return <GroupForm editing={editing} onClose={onClose} />
    case 'alias':
      return <AliasForm editing={editing} onClose={onClose} />
    default:
      return editing satisfies never
  }
}

type NumaPolicy = NonNullable<PciAlias['numaPolicy']>
const NEW_ALIAS: PciAlias = { name: '', spec: [], numaPolicy: 'legacy' }
const NUMA_POLICIES = Object.keys(numaWords) as NumaPolicy[]

function AliasForm(props: FormProps<'alias'>) {
  const { entry } = props.editing
  const [alias, setAlias] = useState<PciAlias>(entry?.value ?? NEW_ALIAS)
  const [spec, setSpec] = useState(devicesText(alias.spec))
  const read = readDevices(spec)
  const typed: ParseResult<PciAlias> = read.ok ? { ok: true, value: { ...alias, spec: read.value } } : read
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
        choices={NUMA_POLICIES.map((id) => ({ id, label: id, detail: numaWords[id] }))}
      />
      {uses > 0 ? <p className="m-0 text-soft">{words.fixedSpec(uses)}</p> : null}
    </EntryDialog>
  )
}

const NEW_GROUP: GroupEntry = { name: '', policy: 'anti-affinity', maxPerHost: 1 }
const GROUP_POLICIES = Object.keys(policyWords) as (keyof typeof policyWords)[]

function GroupForm(props: FormProps<'group'>) {
  const { entry } = props.editing
  const [group, setGroup] = useState<GroupEntry>(entry?.value ?? NEW_GROUP)
  const uses = entry?.uses ?? 0
  return (
    <EntryDialog {...props} typed={{ ok: true, value: group }}>
      <NameField value={group.name} isNew={entry === null} onChange={(name) => setGroup({ ...group, name })} />
      <Select
        label={words.policy}
        value={group.policy}
        onChange={(policy) =>
          setGroup({ ...group, policy, maxPerHost: policy === 'anti-affinity' ? group.maxPerHost : 1 })
        }
        choices={GROUP_POLICIES.map((id) => ({ id, ...policyWords[id] }))}
      />
      {group.policy === 'anti-affinity' ? (
        <NumberField
          label={words.maxPerHost}
          className="w-40"
          value={group.maxPerHost}
          minValue={1}
          onChange={(maxPerHost) => setGroup({ ...group, maxPerHost })}
        />
      ) : null}
      {uses > 0 ? <p className="m-0 text-soft">{words.fixedPolicy(uses)}</p> : null}
    </EntryDialog>
  )
}

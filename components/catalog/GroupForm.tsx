'use client'
import { useState } from 'react'
import type { GroupEntry } from '@/server/api/catalog/router'
import { NumberField } from '../ui/field/NumberField'
import { Select } from '../ui/field/Select'
import { EntryDialog, type FormProps, NameField } from './EntryDialog'
import { policyWords, catalogWords as words } from './words'

const NEW: GroupEntry = { name: '', policy: 'anti-affinity', maxPerHost: 1 }
const POLICIES = Object.keys(policyWords) as (keyof typeof policyWords)[]

export function GroupForm(props: FormProps<'group'>) {
  const { entry } = props.editing
  const [group, setGroup] = useState<GroupEntry>(entry?.value ?? NEW)
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
        choices={POLICIES.map((id) => ({ id, ...policyWords[id] }))}
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

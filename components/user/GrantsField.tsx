'use client'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '@/server/api/permit/roles'
import type { ScopesView } from '@/server/api/user/grants'
import { useTRPC } from '../console/trpc'
import { Button, IconButton } from '../ui/Button'
import { ComboBox } from '../ui/field/ComboBox'
import { Select } from '../ui/field/Select'
import { grantLabel, roleWords, grantWords as words } from './words'

interface Props {
  /** Such as `operator@zone:az1`. */
  readonly value: readonly string[]
  readonly onChange: (grants: readonly string[]) => void
}

/** Higher roles in parts of the fleet: the present ones, and a field to add another. */
export function GrantsField({ value, onChange }: Props) {
  const trpc = useTRPC()
  const scopes = useQuery(trpc.user.scopes.queryOptions())
  const [role, setRole] = useState<Exclude<Role, 'viewer'>>('operator')
  const [scope, setScope] = useState<string | null>(null)
  const add = () => {
    if (scope === null) return
    // One role per part: adding another replaces it.
    onChange([...value.filter((grant) => !grant.endsWith(`@${scope}`)), `${role}@${scope}`])
  }
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0">
      <legend className="mb-1 p-0 font-medium">{words.title}</legend>
      {value.length === 0 ? <p className="m-0 text-soft">{words.none}</p> : null}
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {value.map((grant) => (
          <li key={grant} className="flex items-center justify-between gap-2 rounded-md border border-line px-2 py-0.5">
            <span className="min-w-0 truncate">{grantLabel(grant)}</span>
            <IconButton
              label={words.remove(grantLabel(grant))}
              onPress={() => onChange(value.filter((each) => each !== grant))}
            >
              <X size={13} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-1 items-end gap-2 sm:grid-cols-[8rem_1fr_auto]">
        <Select label={words.role} choices={ROLES} value={role} onChange={setRole} />
        <ComboBox label={words.scope} choices={choicesOf(scopes.data)} value={scope} onChange={setScope} />
        <Button disabledReason={scope === null ? words.chooseScope : null} onPress={add}>
          {words.add}
        </Button>
      </div>
    </fieldset>
  )
}

const ROLES = (['support', 'operator', 'admin'] as const).map((id) => ({ id, label: roleWords[id].label }))

const choicesOf = (scopes: ScopesView | undefined) =>
  scopes &&
  (['zone', 'cloud', 'host'] as const).flatMap((kind) =>
    scopes[kind].map((name) => ({ id: `${kind}:${name}`, label: words.in[kind](name) })),
  )

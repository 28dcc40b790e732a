'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserView } from '@/server/api/user/router'
import { useTRPC } from '../console/trpc'
import { TextField } from '../ui/field/Field'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { AddPersonDialog } from './AddPersonDialog'
import { failed, RoleField, useDone } from './person-parts'
import { roleWords, peopleWords as words } from './words'

export type PersonAction = { readonly kind: 'add' } | { readonly kind: 'role' | 'password'; readonly person: UserView }

export function PersonDialog({ action, onClose }: { action: PersonAction; onClose: () => void }) {
  if (action.kind === 'add') return <AddPersonDialog onClose={onClose} />
  const part = { person: action.person, onClose }
  return action.kind === 'role' ? <RoleDialog {...part} /> : <PasswordDialog {...part} />
}

interface PersonProps {
  readonly person: UserView
  readonly onClose: () => void
}

function RoleDialog({ person, onClose }: PersonProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [role, setRole] = useState(person.role)
  const set = useMutation(
    trpc.user.setRole.mutationOptions({
      onSuccess: () => done(words.roleDone(person.username, roleWords[role].label)),
    }),
  )
  const label = { from: roleWords[person.role].label, to: roleWords[role].label }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.roleOf(person.username)}
      verb={words.changeRole}
      why={role === person.role ? words.chooseRole : null}
      consequences={
        <div className="flex flex-col gap-3">
          <RoleField value={role} onChange={setRole} />
          {role === person.role ? null : (
            <p className="m-0">{words.changesRole(person.username, label.from, label.to)}</p>
          )}
        </div>
      }
      isPending={set.isPending}
      error={failed(set.error, words.changeRole)}
      onConfirm={() => set.mutate({ id: person.id, role })}
    />
  )
}

function PasswordDialog({ person, onClose }: PersonProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [password, setPassword] = useState('')
  const set = useMutation(
    trpc.user.setPassword.mutationOptions({ onSuccess: () => done(words.passwordDone(person.username)) }),
  )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.passwordOf(person.username)}
      verb={words.password}
      why={password === '' ? words.enterPassword : null}
      consequences={
        <TextField
          type="password"
          autoComplete="new-password"
          label={words.newPassword}
          help={words.passwordHelp}
          value={password}
          onChange={setPassword}
        />
      }
      isPending={set.isPending}
      error={failed(set.error, words.password)}
      onConfirm={() => set.mutate({ id: person.id, password })}
    />
  )
}

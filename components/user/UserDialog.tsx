'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserView } from '@/server/api/user/router'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { TextField } from '../ui/field/Field'
import { AddUserDialog } from './AddUserDialog'
import { GrantsDialog } from './GrantsDialog'
import { RoleField, type UserProps, useDone } from './parts'
import { SessionsDialog } from './SessionsDialog'
import { roleWords, userWords as words } from './words'

export type UserAction =
  | { readonly kind: 'add' }
  | { readonly kind: 'role' | 'grants' | 'password' | 'twoFactor' | 'sessions' | 'remove'; readonly person: UserView }

export function UserDialog({ action, onClose }: { action: UserAction; onClose: () => void }) {
  if (action.kind === 'add') return <AddUserDialog onClose={onClose} />
  const part = { person: action.person, onClose }
  return DIALOGS[action.kind](part)
}

function RoleDialog({ person, onClose }: UserProps) {
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
    <MutationDialog
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
      mutation={set}
      needsReason
      onConfirm={(reason = '') => set.mutate({ id: person.id, role, reason })}
    />
  )
}

function PasswordDialog({ person, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [password, setPassword] = useState('')
  const set = useMutation(
    trpc.user.setPassword.mutationOptions({ onSuccess: () => done(words.passwordDone(person.username)) }),
  )
  return (
    <MutationDialog
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
      mutation={set}
      onConfirm={() => set.mutate({ id: person.id, password })}
    />
  )
}

function TwoFactorDialog({ person, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const reset = useMutation(
    trpc.user.resetTwoFactor.mutationOptions({ onSuccess: () => done(words.codeReset(person.username)) }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={words.resetCodeOf(person.username)}
      verb={words.resetCode}
      danger
      needsReason
      consequences={<p className="m-0">{words.resetsCode(person.username)}</p>}
      mutation={reset}
      onConfirm={(reason = '') => reset.mutate({ id: person.id, reason })}
    />
  )
}

function RemoveDialog({ person, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const remove = useMutation(
    trpc.user.remove.mutationOptions({ onSuccess: () => done(words.removed(person.username)) }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={words.removeOf(person.username)}
      verb={words.remove}
      danger
      needsReason
      typedName={person.username}
      consequences={<p className="m-0">{words.removes(person.username)}</p>}
      mutation={remove}
      onConfirm={(reason = '') => remove.mutate({ id: person.id, reason })}
    />
  )
}

const DIALOGS = {
  role: (props: UserProps) => <RoleDialog {...props} />,
  grants: (props: UserProps) => <GrantsDialog {...props} />,
  password: (props: UserProps) => <PasswordDialog {...props} />,
  twoFactor: (props: UserProps) => <TwoFactorDialog {...props} />,
  sessions: (props: UserProps) => <SessionsDialog {...props} />,
  remove: (props: UserProps) => <RemoveDialog {...props} />,
} as const

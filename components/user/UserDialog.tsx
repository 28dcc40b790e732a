'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
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
  | { readonly kind: 'role' | 'grants' | 'password' | 'twoFactor' | 'sessions' | 'remove'; readonly user: UserView }

export function UserDialog({ action, onClose }: { action: UserAction; onClose: () => void }) {
  if (action.kind === 'add') return <AddUserDialog onClose={onClose} />
  const part = { user: action.user, onClose }
  return DIALOGS[action.kind](part)
}

function RoleDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [role, setRole] = useState(user.role)
  const set = useMutation(
    trpc.user.setRole.mutationOptions({
      onSuccess: () => done(words.roleDone(user.username, roleWords[role].label)),
    }),
  )
  const label = { from: roleWords[user.role].label, to: roleWords[role].label }
  return (
    <MutationDialog
      onClose={onClose}
      title={words.roleOf(user.username)}
      confirmLabel={words.changeRole}
      disabledReason={role === user.role ? words.chooseRole : null}
      consequences={
        <div className="flex flex-col gap-3">
          <RoleField value={role} onChange={setRole} />
          {role === user.role ? null : <p className="m-0">{words.changesRole(user.username, label.from, label.to)}</p>}
        </div>
      }
      mutation={set}
      needsReason
      onConfirm={(reason = '') => set.mutate({ id: user.id, role, reason })}
    />
  )
}

function PasswordDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [password, setPassword] = useState('')
  const set = useMutation(
    trpc.user.setPassword.mutationOptions({ onSuccess: () => done(words.passwordDone(user.username)) }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={words.passwordOf(user.username)}
      confirmLabel={words.password}
      disabledReason={password === '' ? words.enterPassword : null}
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
      onConfirm={() => set.mutate({ id: user.id, password })}
    />
  )
}

function TwoFactorDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const reset = useMutation(
    trpc.user.resetTwoFactor.mutationOptions({ onSuccess: () => done(words.codeReset(user.username)) }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={words.resetCodeOf(user.username)}
      confirmLabel={words.resetCode}
      danger
      needsReason
      consequences={<p className="m-0">{words.resetsCode(user.username)}</p>}
      mutation={reset}
      onConfirm={(reason = '') => reset.mutate({ id: user.id, reason })}
    />
  )
}

function RemoveDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const remove = useMutation(trpc.user.remove.mutationOptions({ onSuccess: () => done(words.removed(user.username)) }))
  return (
    <MutationDialog
      onClose={onClose}
      title={words.removeOf(user.username)}
      confirmLabel={words.remove}
      danger
      needsReason
      typedName={user.username}
      consequences={<RemovalConsequences username={user.username} />}
      mutation={remove}
      onConfirm={(reason = '') => remove.mutate({ id: user.id, reason })}
    />
  )
}

function RemovalConsequences({ username }: { username: string }) {
  const tokens = useQuery(useTRPC().token.list.queryOptions()).data
  const ended = tokens?.filter(({ account, state }) => account === username && state === 'in-force')
  return (
    <>
      <p className="m-0">{words.removes(username)}</p>
      {ended?.length === 0 ? null : (
        <p className="mb-0">
          {words.revokesTokens(
            username,
            (ended ?? []).map(({ name }) => name),
          )}
        </p>
      )}
    </>
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

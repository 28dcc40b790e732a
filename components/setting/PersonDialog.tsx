'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLES, type Role } from '@/server/api/permit/roles'
import type { UserView } from '@/server/api/user/router'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { TextField } from '../ui/field/Field'
import { RadioList } from '../ui/field/RadioList'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { tell } from '../ui/overlay/Toasts'
import { roleWords, peopleWords as words } from './words'

export type PersonAction = { readonly kind: 'add' } | { readonly kind: 'role' | 'password'; readonly person: UserView }

export function PersonDialog({ action, onClose }: { action: PersonAction; onClose: () => void }) {
  if (action.kind === 'add') return <AddDialog onClose={onClose} />
  const part = { person: action.person, onClose }
  return action.kind === 'role' ? <RoleDialog {...part} /> : <PasswordDialog {...part} />
}

interface PersonProps {
  readonly person: UserView
  readonly onClose: () => void
}

const RoleField = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <RadioList
    label={words.columns.role}
    value={value}
    onChange={onChange}
    choices={ROLES.map((id) => ({ id, ...roleWords[id] }))}
  />
)

const failed = (error: unknown, verb: string) =>
  error ? <Failure error={error} title={consoleWords.error.action(verb)} /> : null

/** What is told and asked again once somebody was changed. */
function useDone(onClose: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return (title: string) => {
    tell('ok', title)
    void queries.invalidateQueries(trpc.user.pathFilter())
    onClose()
  }
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

function AddDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [person, setPerson] = useState({ username: '', name: '', email: '', password: '', role: 'viewer' as Role })
  const add = useMutation(
    trpc.user.create.mutationOptions({ onSuccess: ({ username }) => done(words.added(username)) }),
  )
  const { columns } = words
  const field = (key: 'username' | 'name' | 'email' | 'password', label: string, help?: string) => (
    <TextField
      label={label}
      help={help}
      type={key === 'password' || key === 'email' ? key : 'text'}
      autoComplete={key === 'password' ? 'new-password' : 'off'}
      value={person[key]}
      onChange={(value) => setPerson({ ...person, [key]: value })}
    />
  )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.add}
      verb={words.add}
      why={Object.values(person).some((value) => value.trim() === '') ? words.fill : null}
      consequences={
        <div className="flex flex-col gap-3">
          {field('username', columns.username, words.usernameHelp)}
          {field('name', columns.name)}
          {field('email', columns.email)}
          {field('password', words.firstPassword, words.firstHelp)}
          <RoleField value={person.role} onChange={(role) => setPerson({ ...person, role })} />
        </div>
      }
      isPending={add.isPending}
      error={failed(add.error, words.add)}
      onConfirm={() => add.mutate(person)}
    />
  )
}

'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '@/server/api/permit/roles'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { TextField } from '../ui/field/Field'
import { RoleField, useDone } from './parts'
import { userWords as words } from './words'

/** There is no sign-up: an admin creates the account with an initial password. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
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
    <MutationDialog
      onClose={onClose}
      confirmLabel={words.add}
      disabledReason={Object.values(person).some((value) => value.trim() === '') ? words.fill : null}
      consequences={
        <div className="flex flex-col gap-3">
          {field('username', columns.username, words.usernameHelp)}
          {field('name', columns.name)}
          {field('email', columns.email)}
          {field('password', words.firstPassword, words.firstHelp)}
          <RoleField value={person.role} onChange={(role) => setPerson({ ...person, role })} />
        </div>
      }
      mutation={add}
      onConfirm={() => add.mutate(person)}
    />
  )
}

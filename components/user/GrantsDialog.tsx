'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { GrantsField } from './GrantsField'
import { type UserProps, useDone } from './parts'
import { grantWords } from './words'

export function GrantsDialog({ person, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [grants, setGrants] = useState(person.grants)
  const set = useMutation(
    trpc.user.setGrants.mutationOptions({ onSuccess: () => done(grantWords.done(person.username)) }),
  )
  const isSame = [...grants].sort().join() === [...person.grants].sort().join()
  return (
    <MutationDialog
      onClose={onClose}
      title={grantWords.changeOf(person.username)}
      verb={grantWords.change}
      why={isSame ? grantWords.unchanged : null}
      consequences={
        <div className="flex flex-col gap-3">
          <GrantsField value={grants} onChange={setGrants} />
          <p className="m-0 text-soft">{grantWords.about(person.username)}</p>
        </div>
      }
      mutation={set}
      needsReason
      onConfirm={(reason = '') => set.mutate({ id: person.id, grants: [...grants], reason })}
    />
  )
}

'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { GrantsField } from './GrantsField'
import { type UserProps, useDone } from './parts'
import { grantWords } from './words'

export function GrantsDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const [grants, setGrants] = useState(user.grants)
  const set = useMutation(
    trpc.user.setGrants.mutationOptions({ onSuccess: () => done(grantWords.done(user.username)) }),
  )
  const isSame = [...grants].sort().join() === [...user.grants].sort().join()
  return (
    <MutationDialog
      onClose={onClose}
      title={grantWords.changeOf(user.username)}
      confirmLabel={grantWords.change}
      disabledReason={isSame ? grantWords.unchanged : null}
      consequences={
        <div className="flex flex-col gap-3">
          <GrantsField value={grants} onChange={setGrants} />
          <p className="m-0 text-soft">{grantWords.about(user.username)}</p>
        </div>
      }
      mutation={set}
      needsReason
      onConfirm={(reason = '') => set.mutate({ id: user.id, grants: [...grants], reason })}
    />
  )
}

'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOperatorDenial } from '../../console/denial'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { showProposed, useSecondPerson } from '../../host/proposed'
import { Button } from '../../ui/Button'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { cloudActionWords as words } from './words'

/** An operator attests, by typing the host's name, that it is powered off, or withdraws the attestation. */
export function FenceButton({ cloud, host, isFenced }: { cloud: string; host: string; isFenced: boolean }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const why = useOperatorDenial()
  const [isOpen, setOpen] = useState(false)
  const second = useSecondPerson('fenced')
  const verb = isFenced ? words.unfence : words.fence
  const fence = useMutation(
    trpc.cloudAction.fence.mutationOptions({
      onSuccess: ({ proposal }) => {
        if (proposal !== null) showProposed()
        else showToast('ok', isFenced ? words.unfenceDone(host) : words.fenceDone(host))
        setOpen(false)
        void queries.invalidateQueries(trpc.cloudAction.pathFilter())
      },
    }),
  )
  return (
    <>
      <Button variant={isFenced ? 'plain' : 'warning'} disabledReason={why} onPress={() => setOpen(true)}>
        {verb}
      </Button>
      {isOpen ? (
        <MutationDialog
          needsReason
          onClose={() => setOpen(false)}
          title={uiWords.labelled(verb, host)}
          confirmLabel={isFenced ? verb : second.verbOf(verb)}
          danger={!isFenced}
          typedName={isFenced ? null : host}
          consequences={
            <>
              <p className="m-0">{isFenced ? words.unfenceMeans : words.fenceMeans}</p>
              {isFenced ? null : second.note}
            </>
          }
          mutation={fence}
          onConfirm={(reason = '') => fence.mutate({ id: cloud, host, fenced: !isFenced, reason })}
        />
      ) : null}
    </>
  )
}

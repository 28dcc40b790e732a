'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LayoutRollout } from '@/server/api/layout/view'
import { useOperatorDenial } from '../console/denial'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { layoutWords } from './words'

const words = layoutWords.rollout

export interface RolloutButtonProps {
  /** Selected hosts; none means every host. */
  readonly hosts: readonly string[]
  readonly rollout: LayoutRollout | null
  readonly onStarted: () => void
}

export function RolloutButton({ hosts, rollout, onStarted }: RolloutButtonProps) {
  const [asked, setAsked] = useState(false)
  const denial = useOperatorDenial()
  const busy = rollout?.state === 'running' || rollout?.state === 'paused'
  const why = denial ?? (busy ? words.running : null)
  return (
    <>
      <Button variant={why ? 'plain' : 'primary'} disabledReason={why} onPress={() => setAsked(true)}>
        {words.startOn(hosts.length)}
      </Button>
      {asked ? <RolloutDialog hosts={hosts} onStarted={onStarted} onClose={() => setAsked(false)} /> : null}
    </>
  )
}

function RolloutDialog(props: Omit<RolloutButtonProps, 'rollout'> & { readonly onClose: () => void }) {
  const { hosts, onStarted, onClose } = props
  const trpc = useTRPC()
  const queries = useQueryClient()
  const start = useMutation(
    trpc.layout.startRollout.mutationOptions({
      onSuccess: () => {
        showToast('flow', words.started)
        void queries.invalidateQueries(trpc.layout.pathFilter())
        onStarted()
        onClose()
      },
    }),
  )
  const what = hosts.length === 0 ? words.all : words.chosen(hosts.length)
  return (
    <MutationDialog
      needsReason
      onClose={onClose}
      title={words.start}
      confirmLabel={words.startOn(hosts.length)}
      consequences={
        <div className="flex flex-col gap-1">
          <p className="m-0">{words.consequences(what)}</p>
          <p className="m-0 text-soft">{words.skips}</p>
        </div>
      }
      mutation={start}
      what={words.start}
      onConfirm={(reason) => start.mutate({ hosts: hosts.length === 0 ? 'all' : [...hosts], reason: reason ?? '' })}
    />
  )
}

'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FencingMethodView } from '@/server/api/fencing/service'
import type { EvacuationView } from '@/server/api/run/evacuation'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { evacuationWords } from './words'

const words = evacuationWords.fencing

interface FencingProps {
  readonly view: EvacuationView
  readonly method: FencingMethodView
}

/** Has a fencing device power the host off, by the method in the server's file. */
export function FenceButton({ view, method }: FencingProps) {
  const [isOpen, setOpen] = useState(false)
  const { permit, asks, attempt } = view.fencing
  const why = attempt?.state === 'running' ? words.underWay : permit.ok ? null : permit.why
  const name = view.host.name
  const label = asks ? words.ask(name) : attempt === null ? words.fence(name) : words.again(name)
  return (
    <>
      <Button variant={why ? 'plain' : 'danger'} disabledReason={why} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <FenceDialog view={view} method={method} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function FenceDialog({ view, method, onClose }: FencingProps & { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { host, fencing } = view
  const verb = fencing.asks ? words.ask(host.name) : words.fence(host.name)
  const fence = useMutation(
    trpc.host.fence.mutationOptions({
      onSuccess: ({ proposal }) => {
        showToast('flow', proposal ? evacuationWords.proposed : words.begun(host.name))
        void queries.invalidateQueries(trpc.host.pathFilter())
        void queries.invalidateQueries(trpc.proposal.pathFilter())
        void queries.invalidateQueries(trpc.run.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      danger
      needsReason
      typedName={host.name}
      onClose={onClose}
      confirmLabel={verb}
      consequences={
        <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
          <li>{words.by(method)}</li>
          <li>{words.takesPower}</li>
          <li>{method.verifies ? words.verifies(method.deadlineMs) : words.cannotVerify}</li>
          {view.status === 'up' ? <li>{words.marksDown}</li> : null}
          {fencing.asks ? <li>{evacuationWords.asksSecond}</li> : null}
        </ul>
      }
      mutation={fence}
      onConfirm={(reason) => fence.mutate({ id: host.id, reason: reason ?? '' })}
    />
  )
}

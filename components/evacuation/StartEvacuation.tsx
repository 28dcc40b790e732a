'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EvacuationPlan, EvacuationView } from '@/server/api/run/evacuation'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { StillAnswers } from './StillAnswers'
import { mayAttest } from './stages'
import { evacuationWords as words } from './words'

interface EvacuationProps {
  readonly view: EvacuationView
  /** Null while it is computed. */
  readonly plan: EvacuationPlan | null
}

/** The button, and the dialog that requires the host's name and a reason. */
export function StartEvacuation({ view, plan, underWay }: EvacuationProps & { underWay: boolean }) {
  const [asked, setAsked] = useState(false)
  const { permit } = view
  const waits = view.approval ? words.waits : null
  const first = isVouchedFor(view) || mayAttest(view.fencing) ? waits : words.stages.fenceFirst
  const why = underWay ? words.underWay : permit.ok ? first : permit.why
  return (
    <>
      <Button variant={why ? 'plain' : 'danger'} disabledReason={why} onPress={() => setAsked(true)}>
        {view.asks ? words.ask : words.start}
      </Button>
      {asked ? <StartDialog view={view} plan={plan} onClose={() => setAsked(false)} /> : null}
    </>
  )
}

/** A fencing device verified it, or an operator attested it with the host's name and a reason. */
const isVouchedFor = ({ fencing: { state } }: EvacuationView) => state === 'verified' || state === 'attested'

function StartDialog({ view, plan, onClose }: EvacuationProps & { onClose: () => void }) {
  const start = useStart(view, onClose)
  // The attestation or fencing already required the name and a reason.
  const attested = isVouchedFor(view)
  return (
    <MutationDialog
      danger
      needsReason
      givenReason={attested ? view.fencing.reason : null}
      onClose={onClose}
      title={words.startOf(view.host.name)}
      confirmLabel={view.asks ? words.ask : words.startOf(view.host.name)}
      typedName={attested ? null : view.host.name}
      consequences={plan && <Consequences view={view} plan={plan} attested={attested} />}
      mutation={start}
      what={words.start}
      onConfirm={(reason) => start.mutate(reason ?? '')}
    />
  )
}

function Consequences({ view, plan, attested }: { view: EvacuationView; plan: EvacuationPlan; attested: boolean }) {
  const blocked = plan.guests.filter(({ state }) => state === 'blocked').length
  return (
    <div className="flex flex-col gap-2">
      <StillAnswers host={view} />
      <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
        <li>{words.consequences(plan.guests.length - blocked)}</li>
        {blocked > 0 ? <li>{words.consequencesBlocked(blocked)}</li> : null}
        {attested ? null : <li>{words.attests(view.host.name)}</li>}
        {view.asks ? <li>{words.asksSecond}</li> : null}
        <li>{words.stops}</li>
        <li>{words.quarantine}</li>
      </ul>
    </div>
  )
}

/**
 * Starts the plan shown, creating it first if it was only a preview. If the start is refused, the plan stays a draft.
 * The dialog requires the host's typed name: if nothing proves it powered off, that is the attestation.
 */
function useStart(view: EvacuationView, onDone: () => void) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (reason: string) => {
      const wanted = { kind: 'evacuation', host: view.host.id, fallback: 'cold', helpers: true, reason } as const
      const id = view.run ?? (await client.run.plan.mutate(wanted)).run
      return client.run.start.mutate({
        id,
        reason,
        attest: isVouchedFor(view) ? undefined : view.host.name,
      })
    },
    onSuccess: ({ proposal }) => {
      showToast('flow', proposal ? words.proposed : words.started)
      void queries.invalidateQueries(trpc.proposal.pathFilter())
      void queries.invalidateQueries(trpc.host.pathFilter())
      onDone()
    },
    onSettled: () => void queries.invalidateQueries(trpc.run.pathFilter()),
  })
}

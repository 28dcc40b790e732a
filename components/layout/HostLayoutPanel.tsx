'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LayoutPlanView } from '@/server/api/layout/view'
import { Loaded } from '../console/Failure'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { HostLayout } from './HostLayout'
import { layoutBadges, layoutWords } from './words'

const words = layoutWords.host

export function HostLayoutPanel({ host }: { host: string }) {
  const trpc = useTRPC()
  const plan = useQuery(trpc.layout.plan.queryOptions({ host }))
  return (
    <Loaded query={plan} what={layoutWords.title} minHeight={400}>
      {(view) => <HostLayout plan={view} action={<ApplyButton plan={view} />} />}
    </Loaded>
  )
}

function ApplyButton({ plan }: { plan: LayoutPlanView }) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button
        variant={plan.permit.ok ? 'primary' : 'plain'}
        disabledReason={plan.permit.ok ? null : plan.permit.why}
        onPress={() => setAsked(true)}
      >
        {words.applyTo(plan.host.name)}
      </Button>
      {asked ? <ApplyDialog plan={plan} onClose={() => setAsked(false)} /> : null}
    </>
  )
}

function ApplyDialog({ plan, onClose }: { plan: LayoutPlanView; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const apply = useMutation(
    trpc.layout.convert.mutationOptions({
      onSuccess: ({ state, blockedBy }) => {
        const { tone, label } = layoutBadges[state]
        showToast(tone, words.done(plan.host.name, label), { detail: blockedBy })
        void queries.invalidateQueries(trpc.layout.pathFilter())
        onClose()
      },
    }),
  )
  const verb = words.applyTo(plan.host.name)
  return (
    <MutationDialog
      needsReason
      onClose={onClose}
      confirmLabel={verb}
      consequences={
        <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
          <li>{words.lineCount(plan.lines.length)}</li>
          <li>{words.moved(plan.movedAllocations)}</li>
          <li>{words.nothingMoves}</li>
        </ul>
      }
      mutation={apply}
      what={words.apply}
      onConfirm={(reason) => apply.mutate({ host: plan.host.id, reason: reason ?? '' })}
    />
  )
}

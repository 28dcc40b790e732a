'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { HealPlanDetail } from '@/server/api/heal/router'
import { ActionFailure, Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { FindingDrawer } from '../finding/FindingDrawer'
import { Badge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { showToast } from '../ui/overlay/Toasts'
import { PageHead } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { HealNotes } from './HealNotes'
import { HealReview } from './HealReview'
import { ProposalNote } from './ProposalNote'
import { healBadges, healWords as words } from './words'

export function HealPage({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.heal.byId.queryOptions({ id }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(plan) => <Plan key={plan.id} plan={plan} />}
    </Loaded>
  )
}

function Plan({ plan }: { plan: HealPlanDetail }) {
  // A request of one's own empties the review; one of another user must not, because a reason may be half typed.
  const [requests, setRequests] = useState(0)
  const apply = useApply(plan, () => setRequests(requests + 1))
  const undo = useUndo()
  const { permitted } = plan
  return (
    <>
      <PageHead
        title={plan.undoOf === null ? words.heading(plan.parts) : words.undoHeading(plan.parts)}
        state={<Badge badge={healBadges[plan.state]} />}
        facts={
          <>
            <span>
              {words.madeBy} {plan.madeBy}, <RelativeTime at={plan.madeAt} />
            </span>
            {plan.reason ? <q>{plan.reason}</q> : null}
            <Copyable text={plan.id} short={plan.id.slice(0, 8)} />
          </>
        }
        actions={
          <Button
            disabledReason={permitted.undo.ok ? null : permitted.undo.why}
            isPending={undo.isPending}
            onPress={() => undo.mutate({ id: plan.id })}
          >
            {words.undo}
          </Button>
        }
      />
      <div className="flex flex-col gap-3">
        <HealNotes plan={plan} />
        {plan.approval ? <ProposalNote isHere proposal={plan.approval} /> : null}
        <ActionFailure error={undo.error} what={words.undo} />
        <HealReview
          key={requests}
          plan={plan}
          isPending={apply.isPending}
          error={<ActionFailure error={apply.error} what={words.apply.title} />}
          onApply={({ parts, reason }) => apply.mutate({ id: plan.id, parts: [...parts], reason })}
        />
      </div>
      <FindingDrawer />
    </>
  )
}

/** Shows the result as the server reported it; the page shows the plan as stored. */
function useApply(plan: HealPlanDetail, onRequested: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.heal.applyParts.mutationOptions({
      onSuccess: ({ applied, replacedBy, whyNotReplaced, found, proposal }) => {
        const { apply } = words
        if (proposal) {
          showToast('flow', apply.proposed, { detail: apply.proposedMore })
          onRequested()
        }
        if (applied > 0)
          showToast(found.length === 0 ? 'ok' : 'warn', apply.done(applied), { detail: apply.doneMore(found) })
        if (replacedBy) {
          const link = { href: paths.healPlan(replacedBy), label: words.replacedLink }
          showToast('twice', apply.changed, { detail: apply.changedMore, link })
        }
        if (whyNotReplaced) showToast('warn', apply.notReplaced, { detail: whyNotReplaced })
        void queries.invalidateQueries(trpc.heal.byId.queryFilter({ id: plan.id }))
        void queries.invalidateQueries(trpc.finding.pathFilter())
      },
    }),
  )
}

function useUndo() {
  const trpc = useTRPC()
  const router = useRouter()
  return useMutation(trpc.heal.undo.mutationOptions({ onSuccess: ({ plan }) => router.push(paths.healPlan(plan)) }))
}

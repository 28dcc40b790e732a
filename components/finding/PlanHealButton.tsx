'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ActionFailure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { findingWords as words } from './words'

export interface PlanHealButtonProps {
  readonly findings: readonly string[]
  /** Why these cannot be planned; a user may plan without the right to apply. */
  readonly disabledReason?: string | null
  readonly label?: string
}

/** Plans a repair of findings and opens its diff. */
export function PlanHealButton({ findings, disabledReason, label }: PlanHealButtonProps) {
  const plan = usePlanHeal()
  const blocked = disabledReason ?? (findings.length === 0 ? words.pickFirst : null)
  return (
    <>
      <Button
        variant={blocked ? 'plain' : 'primary'}
        disabledReason={blocked}
        isPending={plan.isPending}
        onPress={() => plan.mutate({ findings: [...findings] })}
      >
        {label ?? words.planOf(findings.length)}
      </Button>
      <ActionFailure error={plan.error} what={words.plan} />
    </>
  )
}

/** The same in a row: failures are shown outside the row, which has no space. */
export function PlanHealInRow({ finding, label }: { finding: string; label: string }) {
  const plan = usePlanHeal()
  return (
    <Button
      size="sm"
      aria-label={label}
      isPending={plan.isPending}
      onPress={() =>
        plan.mutate(
          { findings: [finding] },
          { onError: (error) => showToast('bad', consoleWords.error.action(words.plan), { detail: error.message }) },
        )
      }
    >
      {words.plan}
    </Button>
  )
}

/** Creates a plan for these findings and opens it. Writes nothing but the plan. */
function usePlanHeal() {
  const trpc = useTRPC()
  const router = useRouter()
  return useMutation(
    trpc.heal.plan.mutationOptions({ onSuccess: ({ plan }: { plan: string }) => router.push(paths.healPlan(plan)) }),
  )
}

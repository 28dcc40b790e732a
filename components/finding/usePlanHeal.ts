import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'

/** Works out a plan for these findings and goes to its lines. Nothing but the plan is written. */
export function usePlanHeal() {
  const trpc = useTRPC()
  const router = useRouter()
  return useMutation(
    trpc.heal.plan.mutationOptions({ onSuccess: ({ plan }: { plan: string }) => router.push(paths.healPlan(plan)) }),
  )
}

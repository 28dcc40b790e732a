'use client'
import { useQuery } from '@tanstack/react-query'
import { useOperatorDenial } from '../console/denial'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { usePastReadOnlyReason } from '../past/address'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { drainWords } from './words'

const PlanDialog = lateOverlay(() => import('./PlanDialog').then((code) => code.PlanDialog))

const PLANNING = ['yes'] as const

/**
 * Drain and evacuation on a host's page. Both start with a plan that changes nothing. The dialog is in the address, so
 * that the command palette can open it.
 */
export function DrainButtons({ host: id }: { host: string }) {
  const trpc = useTRPC()
  const host = useQuery(trpc.host.byId.queryOptions({ id }))
  const past = usePastReadOnlyReason()
  const role = useOperatorDenial()
  const why = past ?? role
  const [planning, setPlanning] = useChoice('drain', PLANNING)
  return (
    <>
      <Button disabledReason={why} onPress={() => void setPlanning('yes', { history: 'push' })}>
        {drainWords.plan.open}
      </Button>
      {past ? (
        <Button disabledReason={past}>{drainWords.evacuate}</Button>
      ) : (
        <ButtonLink href={paths.evacuate(id)}>{drainWords.evacuate}</ButtonLink>
      )}
      {planning && why === null && host.data ? (
        <PlanDialog host={host.data} onClose={() => void setPlanning(null)} />
      ) : null}
    </>
  )
}

'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { paths } from '../console/paths'
import { useWhyNotSteer } from '../console/steer'
import { useTRPC } from '../console/trpc'
import { useWhyNotInPast } from '../past/address'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { drainWords } from './words'

const PlanDialog = dynamic(() => import('./PlanDialog').then((code) => code.PlanDialog), { loading: () => null })

/** On a host's page: the ways to empty it, alive or dead. Both begin with a plan that touches nothing. */
export function DrainButtons({ host: id }: { host: string }) {
  const trpc = useTRPC()
  const host = useQuery(trpc.host.byId.queryOptions({ id }))
  const past = useWhyNotInPast()
  const role = useWhyNotSteer()
  const [planning, setPlanning] = useState(false)
  return (
    <>
      <Button why={past ?? role} onPress={() => setPlanning(true)}>
        {drainWords.plan.open}
      </Button>
      {past ? (
        <Button why={past}>{drainWords.evacuate}</Button>
      ) : (
        <ButtonLink href={paths.evacuate(id)}>{drainWords.evacuate}</ButtonLink>
      )}
      {planning && host.data ? <PlanDialog host={host.data} onClose={() => setPlanning(false)} /> : null}
    </>
  )
}

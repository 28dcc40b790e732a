'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOperatorDenial } from '../console/denial'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { PageHead } from '../ui/Panel'
import { RunTable } from './RunTable'
import { drainWords as words } from './words'

const PlanDialog = lateOverlay(() => import('./PlanDialog').then((code) => code.PlanDialog))

export function RunsPage() {
  const trpc = useTRPC()
  const runs = useQuery(trpc.run.list.queryOptions({}))
  const why = useOperatorDenial()
  const [planning, setPlanning] = useState(false)
  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <Button variant={why ? 'plain' : 'primary'} disabledReason={why} onPress={() => setPlanning(true)}>
            {words.plan.new}
          </Button>
        }
      />
      <Loaded query={runs} what={words.list} minHeight={320}>
        {(rows) => <RunTable rows={rows} />}
      </Loaded>
      {planning ? <PlanDialog host={null} onClose={() => setPlanning(false)} /> : null}
    </>
  )
}

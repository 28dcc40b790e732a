'use client'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { CLOUD_FINDING_LIST } from '@/lists/cloud'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { CloudFindingPane } from './CloudFindingPane'
import { CloudPlanDrawer } from './CloudPlan'
import { cloudFindingColumns } from './history-columns'
import { cloudWords as words } from './words'

/** Findings of the audit; the selected one, kept in the address, shows its evidence and repair beside the list. */
export function CloudFindings({ id, mayAct }: { id: string; mayAct: boolean }) {
  const trpc = useTRPC()
  const list = useList(CLOUD_FINDING_LIST)
  const paged = usePagedRows({
    input: { id, ...list.input },
    ask: (page) => trpc.cloud.findings.queryOptions(page),
  })
  const [picked, pick] = useQueryState('finding', parseAsString)
  const [plans, setPlans] = useState(false)
  return (
    <div className="flex min-h-0 gap-3 max-lg:flex-col">
      <div className="min-w-0 flex-1">
        <ListTable
          columns={cloudFindingColumns}
          rowName={(row) => row.title}
          list={list}
          paged={paged}
          words={words.lists.findings}
          beside={<Button onPress={() => setPlans(true)}>{words.planAll}</Button>}
          picked={picked}
          onPick={(row) => void pick(row.id === picked ? null : row.id)}
        />
      </div>
      {picked ? (
        <CloudFindingPane key={picked} cloud={id} finding={picked} mayAct={mayAct} onClose={() => void pick(null)} />
      ) : null}
      {plans ? <CloudPlanDrawer cloud={id} onClose={() => setPlans(false)} /> : null}
    </div>
  )
}

'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { ProposalView } from '@/server/api/proposal/propose'
import { Loaded, Pending } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { AuditPanel } from '../finding/AuditPanel'
import { FindingDrawer } from '../finding/FindingDrawer'
import { FindingTable } from '../finding/FindingTable'
import { findingWords } from '../finding/words'
import { cx } from '../ui/cx'
import { Tabs } from '../ui/Tabs'

const AutoHealRules = dynamic(() => import('../finding/rule/AutoHealRules').then((code) => code.AutoHealRules), {
  loading: () => <Pending />,
})

const HealPlanTable = dynamic(() => import('./HealPlanTable').then((code) => code.HealPlanTable), {
  loading: () => null,
})
const ProposalNote = dynamic(() => import('./ProposalNote').then((code) => code.ProposalNote), { loading: () => null })

const TABS = ['findings', 'plans', 'rules'] as const
const labels = { findings: findingWords.title, plans: findingWords.repairs, rules: findingWords.rules } as const

/** Audit, findings, plans and rules: the page for repairing records. */
export function HealPlansPage() {
  const [tab, setTab] = useTab(TABS, 'findings')
  const trpc = useTRPC()
  const status = useQuery(trpc.finding.status.queryOptions())
  const open = useQuery(trpc.proposal.list.queryOptions(OPEN))
  const running = useQuery(trpc.proposal.list.queryOptions(RUNNING, { refetchInterval: RUNNING_REFETCH_MS }))
  const content = {
    findings: (
      <div className="flex h-full min-h-96 flex-col">
        <FindingTable />
      </div>
    ),
    plans: <Plans />,
    rules: <AutoHealRules />,
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <AuditPanel />
      <OpenProposals proposals={[...(open.data ?? []), ...(running.data ?? [])]} />
      {/* Below parts of unknown height: they would move while those load. */}
      <div className={cx('flex min-h-0 flex-1 flex-col', (status.isPending || open.isPending) && 'invisible')}>
        <Tabs
          label={findingWords.page}
          open={tab}
          onOpen={setTab}
          items={TABS.map((id) => ({ id, label: labels[id], content: content[id] }))}
        />
      </div>
      <FindingDrawer />
    </div>
  )
}

function Plans() {
  const trpc = useTRPC()
  const plans = useQuery(trpc.heal.list.queryOptions())
  return (
    <Loaded query={plans} what={findingWords.repairs}>
      {(rows) => <HealPlanTable rows={rows} />}
    </Loaded>
  )
}

const OPEN = { state: 'open' } as const
const RUNNING = { state: 'running' } as const
const RUNNING_REFETCH_MS = 15_000 // no event says that it ended

function OpenProposals({ proposals }: { proposals: readonly ProposalView[] }) {
  if (proposals.length === 0) return null
  return (
    <section aria-label={findingWords.awaiting} className="flex flex-col gap-2">
      {proposals.map((proposal) => (
        <ProposalNote key={proposal.id} proposal={proposal} />
      ))}
    </section>
  )
}

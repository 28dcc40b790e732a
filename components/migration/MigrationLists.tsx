'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import type { MigrationView } from '@/server/api/migration/router'
import { Pending } from '../console/Failure'
import { RECOUNT_MS } from '../console/list/recount'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { Tabs } from '../ui/Tabs'
import type { Tone } from '../ui/tone'
import { MigrationTable } from './MigrationTable'
import { migrationWords } from './words'

// Loaded on first open.
const StepTimes = dynamic(() => import('../step/StepTimes').then((code) => code.StepTimes), {
  loading: () => <Pending />,
})

const VIEWS = ['flight', 'waiting', 'overdue', 'history'] as const satisfies readonly MigrationView[]
const TABS = [...VIEWS, 'times'] as const
const tones: Readonly<Record<(typeof VIEWS)[number], Tone>> = {
  flight: 'flow',
  waiting: 'warn',
  overdue: 'warn',
  history: 'idle',
}

/** In flight, waiting, overdue and history in one table; plus the step times that define overdue. */
export function MigrationLists() {
  const trpc = useTRPC()
  const counts = useQuery(trpc.migration.counts.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  const [view, setView] = useChoice('view', TABS)
  const lists = VIEWS.map((id) => ({
    id,
    label: migrationWords.views[id],
    count: counts.isPending ? ('awaited' as const) : counts.data?.[id],
    tone: tones[id],
    content: (
      <div className="flex h-full min-h-80 flex-col">
        <MigrationTable view={id} fill />
      </div>
    ),
  }))
  const times = { id: 'times' as const, label: migrationWords.times, content: <StepTimes /> }
  return <Tabs label={migrationWords.title} open={view ?? 'flight'} onOpen={setView} items={[...lists, times]} />
}

'use client'
import { useQuery } from '@tanstack/react-query'
import type { MigrationView } from '@/server/api/contract-moves'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { Tabs } from '../ui/Tabs'
import type { Tone } from '../ui/tone'
import { MigrationTable } from './MigrationTable'
import { migrationWords } from './words'

const VIEWS = ['flight', 'waiting', 'history'] as const satisfies readonly MigrationView[]
const tones: Readonly<Record<(typeof VIEWS)[number], Tone>> = { flight: 'flow', waiting: 'warn', history: 'idle' }

/** In flight, waiting, history: three questions, one table. */
export function MigrationLists() {
  const trpc = useTRPC()
  const counts = useQuery(trpc.migration.counts.queryOptions())
  const [view, setView] = useChoice('view', VIEWS)
  const open = view ?? 'flight'
  return (
    <Tabs
      label={migrationWords.title}
      open={open}
      onOpen={setView}
      items={VIEWS.map((id) => ({
        id,
        label: migrationWords.views[id],
        count: counts.data?.[id],
        tone: tones[id],
        content: (
          <div className="flex h-full min-h-80 flex-col">
            <MigrationTable view={id} fill />
          </div>
        ),
      }))}
    />
  )
}

'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useCallback } from 'react'
import type { PlannedMigration, RunDetail } from '@/server/api/run/view'
import { ActionFailure } from '../console/Failure'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { IconButton } from '../ui/Button'
import { Menu, type MenuEntry } from '../ui/overlay/Menu'
import { showToast } from '../ui/overlay/Toasts'
import { PlanTable } from './PlanTable'
import { drainWords } from './words'

const words = drainWords.planActions

type PlanChange = {
  readonly do: 'skip' | 'retry' | 'first'
  readonly method?: 'live-migrate' | 'cold-migrate' | 'stay'
}

/** The plan with the actions on each instance; unavailable ones say why. */
export function PlanWithActions({ run }: { run: Pick<RunDetail, 'id' | 'migrations'> }) {
  const change = useChange(run.id)
  const { mutate } = change
  const actions = useCallback(
    (migration: PlannedMigration) => (
      <InstanceMenu migration={migration} send={(label, change) => mutate({ migration, label, change })} />
    ),
    [mutate],
  )
  return (
    <div className="flex flex-col gap-2">
      <ActionFailure error={change.error} what={drainWords.table.actions} />
      <PlanTable migrations={run.migrations} actions={actions} />
    </div>
  )
}

interface RequestedChange {
  readonly migration: PlannedMigration
  readonly label: string
  readonly change: PlanChange
}

/** Each accepted change is shown, also if another one or another page follows before the answer. */
function useChange(id: string) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ migration: { n }, change }: RequestedChange) =>
      client.run.controlMigration.mutate({ id, n, ...change }),
    onSuccess: (_, { migration, label }) => {
      showToast('flow', words.accepted(label, migration.instance.name))
      void queries.invalidateQueries(trpc.run.pathFilter())
    },
  })
}

type PlanChangePermit = PlannedMigration['permitted']['skip']

function InstanceMenu({
  migration,
  send,
}: {
  migration: PlannedMigration
  send: (label: string, change: PlanChange) => void
}) {
  const label = drainWords.table.do(migration.instance.name)
  const entries: readonly MenuEntry[] = choicesOf(migration).map(({ id, permit, change }) => ({
    id,
    label: words[id],
    disabledReason: permit.ok ? null : permit.why,
    onAction: () => send(words[id], change),
  }))
  return (
    <Menu
      label={label}
      trigger={
        <IconButton label={label} className="size-6">
          <Ellipsis size={14} aria-hidden="true" />
        </IconButton>
      }
      entries={entries}
    />
  )
}

interface Choice {
  readonly id: 'skip' | 'first' | 'live' | 'cold' | 'stay' | 'retry'
  readonly permit: PlanChangePermit
  readonly change: PlanChange
}

function choicesOf({ permitted: { skip, retry, 'change-method': change } }: PlannedMigration): readonly Choice[] {
  return [
    { id: 'skip', permit: skip, change: { do: 'skip' } },
    { id: 'first', permit: skip, change: { do: 'first' } },
    { id: 'live', permit: change, change: { do: 'retry', method: 'live-migrate' } },
    { id: 'cold', permit: change, change: { do: 'retry', method: 'cold-migrate' } },
    { id: 'stay', permit: change, change: { do: 'skip', method: 'stay' } },
    { id: 'retry', permit: retry, change: { do: 'retry' } },
  ]
}

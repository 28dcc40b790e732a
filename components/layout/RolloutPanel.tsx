'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LayoutRollout } from '@/server/api/layout/view'
import { ActionFailure } from '../console/Failure'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { count } from '../ui/format'
import { showToast } from '../ui/overlay/Toasts'
import { RelativeTime } from '../ui/time/Clock'
import { layoutWords, rolloutBadges } from './words'

const words = layoutWords.rollout
const VERBS = ['pause', 'resume', 'stop'] as const

/** The current or last rollout: progress, what stopped it, and its three buttons. */
export function RolloutPanel({ rollout }: { rollout: LayoutRollout | null }) {
  if (rollout === null) return <p className="m-0 text-sm text-soft">{words.none}</p>
  const { facts } = words
  return (
    <section
      aria-label={words.title}
      className="flex flex-wrap items-center gap-x-6 gap-y-1 rounded-lg border border-line bg-surface px-3 py-2 text-sm"
    >
      <span className="flex items-center gap-3 font-medium">
        {words.title}
        <StateBadge badge={rolloutBadges[rollout.state]} />
      </span>
      <Fact name={facts.healed}>
        {count(rollout.healed)} / {count(rollout.hosts)}
      </Fact>
      <Fact name={facts.skipped}>{count(rollout.skipped)}</Fact>
      <Fact name={facts.blocked}>{count(rollout.blocked)}</Fact>
      <Fact name={facts.failed}>
        <HostLink host={rollout.failed} none={words.nobodyFailed} />
      </Fact>
      <Fact name={facts.by}>{rollout.by}</Fact>
      <Fact name={facts.at}>
        <RelativeTime at={rollout.at} />
      </Fact>
      <q className="text-soft">{rollout.reason}</q>
      {rollout.why ? <span className="text-warn">{rollout.why}</span> : null}
      <RolloutControls rollout={rollout} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      <span className="pr-1.5 text-xs text-soft">{name}</span>
      {children}
    </span>
  )
}

function RolloutControls({ rollout }: { rollout: LayoutRollout }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const control = useMutation(
    trpc.layout.control.mutationOptions({
      onSuccess: (_, asked) => {
        showToast('flow', words.accepted(words[asked.do]))
        void queries.invalidateQueries(trpc.layout.pathFilter())
      },
    }),
  )
  return (
    <span className="ml-auto flex gap-2">
      {VERBS.map((verb) => {
        const permit = rollout.permitted[verb]
        return (
          <Button
            key={verb}
            size="sm"
            disabledReason={permit.ok ? null : permit.why}
            onPress={() => control.mutate({ wave: rollout.id, do: verb })}
          >
            {words[verb]}
          </Button>
        )
      })}
      <ActionFailure error={control.error} what={words.title} />
    </span>
  )
}

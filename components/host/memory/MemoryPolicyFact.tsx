'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostDetail } from '@/server/api/host/view'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { usePastReadOnlyReason } from '../../past/address'
import { Button } from '../../ui/Button'
import { mib } from '../../ui/format'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { hostWords } from '../words'

const words = hostWords.facts

/** Ordinary pages promised to instances, of the promisable total; undefined if no NUMA node is known. */
export function ordinaryText({ memory: { ordinary } }: HostDetail): string | undefined {
  if (ordinary === null) return undefined
  const { placedMib, floatingMib, capacityMib, hugeMib } = ordinary
  return words.ordinaryShare(mib(placedMib + floatingMib), mib(capacityMib), mib(hugeMib))
}

/** The host's memory accounting, with its edit dialog. */
export function MemoryPolicyFact({ host }: { host: HostDetail }) {
  const [isOpen, setOpen] = useState(false)
  const past = usePastReadOnlyReason()
  // The right to act on a host covers all its settings.
  const { enable, disable } = host.permitted
  const mine = enable.ok || disable.ok ? null : disable.why
  return (
    <span className="flex flex-wrap items-center gap-2">
      {words.policies[host.memory.policy]}
      <Button disabledReason={past ?? mine} onPress={() => setOpen(true)}>
        {words.changePolicy}
      </Button>
      {isOpen ? <PolicyDialog host={host} onClose={() => setOpen(false)} /> : null}
    </span>
  )
}

function PolicyDialog({ host, onClose }: { host: HostDetail; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const policy = host.memory.policy === 'exact' ? 'nova' : 'exact'
  const change = useMutation(
    trpc.host.setMemory.mutationOptions({
      onSuccess: () => {
        showToast('ok', `${host.name} ${words.policyChanged(policy)}`)
        void queries.invalidateQueries(trpc.host.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={uiWords.labelled(words.changePolicy, host.name)}
      confirmLabel={words.changePolicy}
      danger={policy === 'nova'}
      consequences={
        <p className="m-0">
          {words.policies[policy]}. {words.policyHints[policy]}
        </p>
      }
      needsReason
      mutation={change}
      onConfirm={(reason) => change.mutate({ id: host.id, policy, reason: reason ?? '' })}
    />
  )
}

'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Ref } from '@/server/api/names/names'
import type { PowerResult } from '@/server/api/power/request'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import { powerWords } from './words'

// Loaded if some were refused.
const PowerResults = lateOverlay(() => import('./PowerResults').then((code) => code.PowerResults))

const words = powerWords.returned

/** After a host's power cycle: how many instances are off, and one button that starts them. Empty if none are. */
export function ReturnedInstances({ host }: { host: Ref }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [refused, setRefused] = useState<readonly PowerResult[] | null>(null)
  const { data } = useQuery(trpc.power.returned.queryOptions({ host: host.id }))
  const start = useMutation(
    trpc.power.startReturned.mutationOptions({
      onSuccess: (results: readonly PowerResult[]) => {
        void queries.invalidateQueries(trpc.power.returned.queryFilter({ host: host.id }))
        const taken = results.filter(({ acceptedAt }) => acceptedAt !== null).length
        if (taken > 0) showToast('flow', words.accepted(taken), { detail: powerWords.acceptedMore })
        if (taken < results.length) setRefused(results)
      },
    }),
  )
  if (refused) return <PowerResults action="start" results={refused} onClose={() => setRefused(null)} />
  if (!data || data.instances.length === 0) return null
  const { instances, permit } = data
  return (
    <div className="pb-3">
      <Note tone="bad" shape="triangle">
        <span className="flex flex-wrap items-center gap-3">
          <span title={uiWords.list(instances.map(({ name }) => name))}>{words.note(instances.length)}</span>
          <Button
            variant="primary"
            disabledReason={permit.ok ? null : permit.why}
            isPending={start.isPending}
            onPress={() => start.mutate({ host: host.id })}
          >
            {words.verb}
          </Button>
        </span>
      </Note>
      <ActionFailure error={start.error} what={words.verb} />
    </div>
  )
}

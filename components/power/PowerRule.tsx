'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ref } from '@/server/api/names/names'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { powerWords } from './words'

const words = powerWords.returned

/** Whether the instances that ran on the host before are started automatically. */
export function PowerRule({ host }: { host: Ref }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { data } = useQuery(trpc.power.returned.queryOptions({ host: host.id }))
  const set = useMutation(
    trpc.power.setRule.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.done, { detail: host.name })
        void queries.invalidateQueries(trpc.power.returned.queryFilter({ host: host.id }))
      },
    }),
  )
  if (!data) return null
  const { byItself, rulePermit } = data
  return (
    <span className="flex flex-wrap items-center gap-3">
      <span>{byItself ? words.on : words.off}</span>
      <Button
        disabledReason={rulePermit.ok ? null : rulePermit.why}
        isPending={set.isPending}
        onPress={() => set.mutate({ host: host.id, on: !byItself })}
      >
        {byItself ? words.switchOff : words.switchOn}
      </Button>
      <ActionFailure error={set.error} what={words.rule} />
    </span>
  )
}

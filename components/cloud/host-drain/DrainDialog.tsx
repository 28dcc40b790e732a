'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { showProposed, useSecondPerson } from '../../host/proposed'
import { Checkbox } from '../../ui/field/Checkbox'
import { NumberField } from '../../ui/field/NumberField'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { DrainPlan } from './DrainPlan'
import { cloudDrainWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly host: string
  readonly onClose: () => void
}

const CONCURRENCY = { default: 2, max: 50 } as const

/** Planned migrations and targets, with the operator's options. */
export function DrainDialog({ cloud, host, onClose }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [cold, setCold] = useState(false)
  const [most, setMost] = useState<number>(CONCURRENCY.default)
  const asked = { id: cloud, host, cold, most }
  const second = useSecondPerson('cloud')
  const plan = useQuery(trpc.cloudDrain.plan.queryOptions(asked, { staleTime: 0, placeholderData: keepPreviousData }))
  const start = useMutation(
    trpc.cloudDrain.start.mutationOptions({
      onSuccess: async ({ proposal }) => {
        if (proposal === null) showToast('flow', words.started(host))
        else showProposed()
        await queries.invalidateQueries(trpc.cloudDrain.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      needsReason
      danger
      onClose={onClose}
      title={uiWords.labelled(words.start, host)}
      confirmLabel={second.verbOf(words.start)}
      consequences={
        plan.data === null ? (
          words.gone
        ) : (
          <div className="flex flex-col gap-3">
            <p className="m-0">{words.means(host)}</p>
            {second.note}
            <NumberField
              label={words.most}
              help={words.mostHelp}
              value={most}
              minValue={1}
              maxValue={CONCURRENCY.max}
              onChange={(next) => setMost(Number.isInteger(next) ? next : CONCURRENCY.default)}
            />
            <Checkbox label={words.cold} isSelected={cold} onChange={setCold} />
          </div>
        )
      }
      details={plan.data === null ? undefined : plan.data ? <DrainPlan plan={plan.data} /> : null}
      disabledReason={plan.data === null ? words.gone : null}
      mutation={start}
      queryError={plan.error}
      onConfirm={(reason = '') => start.mutate({ ...asked, reason })}
    />
  )
}

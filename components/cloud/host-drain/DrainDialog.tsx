'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../console/Failure'
import { useTRPC } from '../../console/trpc'
import { consoleWords } from '../../console/words'
import { Checkbox } from '../../ui/field/Checkbox'
import { NumberField } from '../../ui/field/NumberField'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog'
import { tell } from '../../ui/overlay/Toasts'
import { PanelPart } from '../../ui/Panel'
import { uiWords } from '../../ui/words'
import { DrainPlan } from './DrainPlan'
import { cloudDrainWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly host: string
  readonly onClose: () => void
}

const CONCURRENCY = { usual: 2, most: 50 } as const

/** Planned migrations and targets, with the operator's options. */
export function DrainDialog({ cloud, host, onClose }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [cold, setCold] = useState(false)
  const [most, setMost] = useState<number>(CONCURRENCY.usual)
  const asked = { id: cloud, host, cold, most }
  const plan = useQuery(trpc.cloudDrain.plan.queryOptions(asked, { staleTime: 0, placeholderData: keepPreviousData }))
  const start = useMutation(
    trpc.cloudDrain.start.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(trpc.cloudDrain.pathFilter())
        tell('flow', words.started(host))
        onClose()
      },
    }),
  )
  const error = start.error ?? plan.error
  return (
    <ConfirmDialog
      isOpen
      needsReason
      danger
      onClose={onClose}
      title={uiWords.labelled(words.start, host)}
      verb={words.start}
      consequences={
        plan.data === undefined ? null : plan.data === null ? (
          words.gone
        ) : (
          <div className="flex flex-col gap-3">
            <p className="m-0">{words.means(host)}</p>
            <NumberField
              label={words.most}
              help={words.mostHelp}
              value={most}
              minValue={1}
              maxValue={CONCURRENCY.most}
              onChange={(next) => setMost(Number.isInteger(next) ? next : CONCURRENCY.usual)}
            />
            <Checkbox label={words.cold} isSelected={cold} onChange={setCold} />
            <PanelPart title={words.plan}>
              <DrainPlan plan={plan.data} />
            </PanelPart>
          </div>
        )
      }
      why={plan.data === null ? words.gone : null}
      isPending={start.isPending}
      error={error ? <Failure error={error} title={consoleWords.error.action(words.start)} /> : null}
      onConfirm={(reason = '') => start.mutate({ ...asked, reason })}
    />
  )
}

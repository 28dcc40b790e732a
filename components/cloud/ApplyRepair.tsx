'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import type { CloudCallView } from '@/server/api/cloud/view'
import { useOperatorDenial } from '../console/denial'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { showProposed, useSecondPerson } from '../host/proposed'
import { Button } from '../ui/Button'
import { CloudCalls } from './CloudCalls'
import { cloudWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly mayAct: boolean
  readonly finding: string
  readonly calls: readonly CloudCallView[]
  /** Fingerprint of the calls shown: the server refuses any others. */
  readonly print: string
  readonly onApplied: (outcomes: readonly CloudOutcomeView[]) => void
}

/** Sends the calls shown one at a time; before each, the state that it relies on is read again. */
export function ApplyRepair({ cloud, mayAct, finding, calls, print, onApplied }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const whyNot = useOperatorDenial()
  const isAction = calls.some(({ service }) => service === 'nova')
  const second = useSecondPerson('heal', ...(isAction ? (['cloud'] as const) : []))
  const [isOpen, setOpen] = useState(false)
  const apply = useMutation(
    trpc.cloud.repair.mutationOptions({
      onSuccess: ({ outcomes, proposal }) => {
        setOpen(false)
        onApplied(outcomes)
        if (proposal !== null) showProposed()
        void queries.invalidateQueries(trpc.cloud.pathFilter())
      },
    }),
  )
  const why = whyNot ?? (mayAct ? null : words.notAllowed)
  return (
    <div className="flex flex-col items-start gap-2">
      <Button variant="warning" disabledReason={why} onPress={() => setOpen(true)}>
        {words.apply}
      </Button>
      {isOpen ? (
        <MutationDialog
          onClose={() => setOpen(false)}
          title={words.apply}
          confirmLabel={second.verbOf(words.apply)}
          danger
          needsReason
          consequences={
            <>
              <p className="m-0">{words.applyMeans}</p>
              {second.note}
            </>
          }
          details={<CloudCalls calls={calls} />}
          mutation={apply}
          onConfirm={(reason = '') => apply.mutate({ id: cloud, finding, print, reason })}
        />
      ) : null}
    </div>
  )
}

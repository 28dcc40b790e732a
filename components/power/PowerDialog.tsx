'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Ref } from '@/server/api/names/names'
import type { Permit } from '@/server/api/permit/rights'
import type { PowerResult } from '@/server/api/power/request'
import type { PowerAction } from '@/server/engine/power/request'
import { useIsShown } from '../console/is-shown'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Checkbox } from '../ui/field/Checkbox'
import { showToast } from '../ui/overlay/Toasts'
import { PowerResults, showPowerResults } from './PowerResults'
import { powerActionWords, powerWords as words } from './words'

export interface PowerSubject extends Ref {
  readonly permitted: Readonly<Record<PowerAction, Permit>>
}

/** Effect and count before the click. A refused single request says why; of many, only permitted ones are sent. */
export function PowerDialog(props: {
  readonly action: PowerAction
  readonly subjects: readonly PowerSubject[]
  readonly onClose: () => void
  readonly onDone?: () => void
}) {
  const { action, subjects, onClose, onDone } = props
  const [hard, setHard] = useState(false)
  const [results, setResults] = useState<readonly PowerResult[] | null>(null)
  const able = subjects.filter((each) => each.permitted[action].ok)
  const refused = subjects.flatMap(({ name, permitted }) => {
    const permit = permitted[action]
    return permit.ok ? [] : [{ name, why: permit.why }]
  })
  const [only] = subjects.length === 1 ? subjects : []
  const label = only ? words.one(action, only.name) : words.bulk(action, able.length)
  const isShown = useIsShown()
  const request = usePowerRequest(label, (answers) => {
    onDone?.()
    if (answers.every(({ refusal }) => refusal === null)) onClose()
    else if (isShown()) setResults(answers)
    else showPowerResults(action, answers)
  })
  if (results) return <PowerResults action={action} results={results} onClose={onClose} />
  const { hint, tone } = powerActionWords[action]
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={label}
      danger={tone === 'bad'}
      needsReason={tone === 'bad'}
      disabledReason={able.length === 0 ? (refused[0]?.why ?? null) : null}
      mutation={request}
      consequences={
        <div className="flex flex-col gap-2">
          <p className="m-0">{hint}</p>
          {action === 'stop' ? <Checkbox label={words.hard} isSelected={hard} onChange={setHard} /> : null}
          <Refused refused={able.length > 0 ? refused : []} />
        </div>
      }
      onConfirm={(reason) => request.mutate({ ids: able.map(({ id }) => id), action, hard, reason })}
    />
  )
}

function usePowerRequest(label: string, onDone: (results: readonly PowerResult[]) => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.power.request.mutationOptions({
      onSuccess: (results: readonly PowerResult[]) => {
        void queries.invalidateQueries(trpc.instance.pathFilter())
        if (results.some(({ acceptedAt }) => acceptedAt !== null))
          showToast('flow', words.accepted(label), { detail: words.acceptedMore })
        onDone(results)
      },
    }),
  )
}

function Refused({ refused }: { refused: readonly { name: string; why: string }[] }) {
  if (refused.length === 0) return null
  return (
    <div className="text-sm text-soft">
      <p className="m-0 font-medium">{words.refused(refused.length)}</p>
      <ul className="m-0 max-h-28 list-disc overflow-auto pl-4">
        {refused.map(({ name, why }) => (
          <li key={name}>
            {name}: {why}
          </li>
        ))}
      </ul>
    </div>
  )
}

'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { ActionResult } from '@/server/api/migration/requested-action'
import type { RequestedAction } from '@/server/engine/migration/state'
import { useIsShown } from '../../console/is-shown'
import type { BulkResult } from '../../console/list/BulkResults'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { migrationWords, requestedActionWords } from '../words'
import { ActionResults, resultRows, showActionResults } from './ActionResults'

const ActionConsequences = lazy(() =>
  import('./ActionConsequences').then((code) => ({ default: code.ActionConsequences })),
)

export interface ActionDialogProps {
  readonly requestedAction: RequestedAction
  readonly ids: readonly string[]
  /** The instance's name for a single migration; typed to confirm the most dangerous actions. */
  readonly name: string | null
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Consequences in numbers before the click; the button has the verb and the count. Afterwards, each result. */
export function ActionDialog({ requestedAction, ids, name, onClose, onDone }: ActionDialogProps) {
  const trpc = useTRPC()
  const asked = useQuery(trpc.migration.consequences.queryOptions({ ids: [...ids], requestedAction }, { staleTime: 0 }))
  const [rows, setRows] = useState<readonly BulkResult[] | null>(null)
  const close = () => {
    onDone?.()
    onClose()
  }
  const isShown = useIsShown()
  const send = useActionRequest((results) => {
    const all = asked.data ? resultRows(asked.data, results) : []
    const taken = all.filter(({ reason }) => reason === null)
    if (taken.length > 0) {
      const what = name
        ? uiWords.named(requestedActionWords[requestedAction].verb, name)
        : migrationWords.bulk(requestedActionWords[requestedAction].verb, taken.length)
      showToast('flow', migrationWords.accepted(what), { detail: migrationWords.acceptedMore })
    }
    if (taken.length === all.length) close()
    else if (isShown()) setRows(all)
    else showActionResults(requestedAction, all)
  })
  if (rows) return <ActionResults requestedAction={requestedAction} rows={rows} onClose={close} />
  const { verb, tone } = requestedActionWords[requestedAction]
  const count = asked.data?.permitted.length ?? ids.length
  const label = name ? uiWords.named(verb, name) : migrationWords.bulk(verb, count)
  const [onlyRefused] = asked.data?.permitted.length === 0 ? asked.data.refused : []
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={label}
      danger={tone === 'bad'}
      consequences={asked.data ? <ActionConsequences of={asked.data} /> : null}
      typedName={asked.data?.needsTypedName ? name : null}
      needsReason={asked.data?.needsReason}
      disabledReason={onlyRefused?.why ?? null}
      mutation={send}
      queryError={asked.error}
      what={verb}
      onConfirm={(reason) =>
        send.mutate({ ids: asked.data?.permitted.map((migration) => migration.id) ?? [], requestedAction, reason })
      }
    />
  )
}

function useActionRequest(onDone: (results: readonly ActionResult[]) => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.migration.requestAction.mutationOptions({
      onSuccess: (results: readonly ActionResult[]) => {
        void queries.invalidateQueries(trpc.migration.pathFilter())
        onDone(results)
      },
    }),
  )
}

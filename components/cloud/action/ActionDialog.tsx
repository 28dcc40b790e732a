'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CloudActionKind } from '@/server/engine/cloud/action/action'
import { ActionFailure, Failure } from '../../console/Failure'
import { useIsShown } from '../../console/is-shown'
import { useTRPC } from '../../console/trpc'
import { consoleWords } from '../../console/words'
import { showProposed, useSecondPerson } from '../../host/proposed'
import { Note } from '../../ui/Message'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { type ActionOptions, Explained, NOTHING_CHOSEN } from './Explained'
import { cloudActionLabels, cloudActionWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly verb: CloudActionKind
  readonly subject: string
  readonly name: string
  /** Why it may not be requested at all. */
  readonly disabledReason: string | null
  readonly onClose: () => void
}

/** The effect and options of an action; the call shown is the call sent. */
export function ActionDialog({ cloud, verb, subject, name, disabledReason, onClose }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ActionOptions>(NOTHING_CHOSEN)
  const asked = { id: cloud, verb, subject, ...chosen }
  const explained = useQuery(
    trpc.cloudAction.explain.queryOptions(asked, { staleTime: 0, placeholderData: keepPreviousData }),
  )
  const verbWords = cloudActionLabels[verb]
  const second = useSecondPerson('cloud')
  const title = uiWords.labelled(verbWords.verb, name)
  const isShown = useIsShown()
  const request = useMutation(
    trpc.cloudAction.request.mutationOptions({
      onSuccess: async ({ did, proposal, says }) => {
        const isTaken = did === 'sent' || did === 'unknown'
        if (proposal !== null) showProposed()
        else if (isTaken) showToast('flow', words.accepted(verbWords.verb, name), { detail: words.acceptedMore })
        // In the dialog, if it is still there.
        else if (!isShown()) showToast('bad', title, { detail: words.notDone(says ?? '') })
        await queries.invalidateQueries(trpc.cloudAction.pathFilter())
        if (isShown() && (proposal !== null || isTaken)) onClose()
      },
    }),
  )
  const shown = explained.data
  const { did, proposal = null, says = null } = request.data ?? {}
  const refused = did === 'sent' || proposal !== null ? null : says
  return (
    <ConfirmDialog
      needsReason
      onClose={onClose}
      title={title}
      confirmLabel={second.verbOf(verbWords.verb)}
      danger={shown?.isDangerous ?? false}
      consequences={
        shown === undefined ? null : shown === null ? (
          words.gone
        ) : (
          <>
            <Explained shown={shown} chosen={chosen} onChange={setChosen} />
            {second.note}
          </>
        )
      }
      disabledReason={
        disabledReason ??
        (shown === null ? words.gone : (shown?.why ?? (explained.isPlaceholderData ? uiWords.loading : null)))
      }
      isPending={request.isPending}
      error={
        request.error ? (
          <ActionFailure error={request.error} what={verbWords.verb} />
        ) : explained.error ? (
          <Failure error={explained.error} title={consoleWords.error.query(consoleWords.error.consequences)} />
        ) : refused === null ? null : (
          <Note tone="bad" shape="cross">
            {words.notDone(refused)}
          </Note>
        )
      }
      onConfirm={(reason = '') => request.mutate({ ...asked, print: shown?.print ?? '', reason })}
    />
  )
}

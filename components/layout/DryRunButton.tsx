'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOperatorDenial } from '../console/denial'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { layoutWords as words } from './words'

/** Plans all hosts; writes nothing but markers. */
export function DryRunButton() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const why = useOperatorDenial()
  const run = useMutation(
    trpc.layout.dryRun.mutationOptions({
      onSuccess: ({ planned, blocked }) => {
        showToast(blocked > 0 ? 'warn' : 'ok', words.dryRunDone(planned, blocked), { detail: words.dryRunMore })
        void queries.invalidateQueries(trpc.layout.pathFilter())
      },
    }),
  )
  return (
    <>
      <Button disabledReason={why} isPending={run.isPending} onPress={() => run.mutate()}>
        {words.dryRun}
      </Button>
      <ActionFailure error={run.error} what={words.dryRun} />
    </>
  )
}

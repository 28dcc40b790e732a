'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Failure } from '../console/Failure'
import { useWhyNotSteer } from '../console/steer'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { tell } from '../ui/overlay/Toasts'
import { layoutWords as words } from './words'

/** Plans all hosts; writes nothing but markers. */
export function DryRunButton() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const why = useWhyNotSteer()
  const run = useMutation(
    trpc.layout.dryRun.mutationOptions({
      onSuccess: ({ planned, blocked }) => {
        tell(blocked > 0 ? 'warn' : 'ok', words.dryRunDone(planned, blocked), { detail: words.dryRunMore })
        void queries.invalidateQueries(trpc.layout.pathFilter())
      },
    }),
  )
  return (
    <>
      <Button why={why} isPending={run.isPending} onPress={() => run.mutate()}>
        {words.dryRun}
      </Button>
      {run.error ? <Failure error={run.error} title={consoleWords.error.action(words.dryRun)} /> : null}
    </>
  )
}

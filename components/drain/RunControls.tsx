'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RunDetail } from '@/server/api/run/view'
import { ActionFailure } from '../console/Failure'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { StillAnswers } from '../evacuation/StillAnswers'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { consequenceLines } from './consequences'
import { downtimeText, timeText } from './RunEstimate'
import { drainWords } from './words'

const words = drainWords.controls
const STEERS = ['pause', 'resume', 'replan', 'stop'] as const

/**
 * Start, pause, resume, replan, stop: always in the same place, each with its reason if unavailable. `startElsewhere`:
 * the page has its own start button.
 */
export function RunControls({ run, startElsewhere }: { run: RunDetail; startElsewhere?: boolean }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [starting, setStarting] = useState(false)
  const control = useMutation(
    trpc.run.control.mutationOptions({
      onSuccess: (_, asked) => {
        showToast('flow', words.accepted(words[asked.do]), asked.do === 'stop' ? { detail: words.stopMore } : undefined)
        void queries.invalidateQueries(trpc.run.pathFilter())
      },
    }),
  )
  const { start } = run.permitted
  return (
    <>
      {startElsewhere ? null : (
        <Button
          variant={start.ok ? 'primary' : 'plain'}
          disabledReason={start.ok ? null : start.why}
          onPress={() => setStarting(true)}
        >
          {words.start}
        </Button>
      )}
      {STEERS.map((verb) => {
        const permit = run.permitted[verb]
        return (
          <Button
            key={verb}
            disabledReason={permit.ok ? null : permit.why}
            onPress={() => control.mutate({ id: run.id, do: verb })}
          >
            {words[verb]}
          </Button>
        )
      })}
      <ActionFailure error={control.error} what={drainWords.one} />
      {starting ? <StartDialog run={run} onClose={() => setStarting(false)} /> : null}
    </>
  )
}

function StartDialog({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const start = useMutation(
    trpc.run.start.mutationOptions({
      onSuccess: ({ proposal }) => {
        if (proposal) showToast('flow', words.proposed, { detail: words.proposedMore })
        else showToast('flow', words.started, { detail: words.startedMore })
        void queries.invalidateQueries(trpc.run.pathFilter())
        onClose()
      },
    }),
  )
  const drains = run.kind === 'drain'
  const ask = useQuery(trpc.run.evacuation.queryOptions({ host: run.host.id }, { enabled: !drains }))
  // The attestation of the powered-off host already required its name.
  const attested = ask.data?.fencing.state === 'attested'
  const title = drains ? words.startOf(run.host.name) : words.evacuationOf(run.host.name)
  return (
    <MutationDialog
      needsReason
      givenReason={run.reason}
      danger={!drains}
      onClose={onClose}
      confirmLabel={title}
      typedName={drains || attested ? null : run.host.name}
      consequences={
        drains || ask.data ? (
          <div className="flex flex-col gap-2">
            {ask.data ? <StillAnswers host={ask.data} /> : null}
            <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
              {drains ? <li>{words.disables(run.host.name)}</li> : null}
              {consequenceLines(run.migrations).map((line) => (
                <li key={line}>{line}</li>
              ))}
              <li>{drainWords.estimate.takes(timeText(run.estimate))}</li>
              {drains ? <li>{drainWords.estimate.stands(downtimeText(run.estimate))}</li> : null}
            </ul>
          </div>
        ) : null
      }
      mutation={start}
      queryError={ask.error}
      what={words.start}
      onConfirm={(reason) =>
        start.mutate({ id: run.id, reason: reason ?? '', attest: drains || attested ? undefined : run.host.name })
      }
    />
  )
}

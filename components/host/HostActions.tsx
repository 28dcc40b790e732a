'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostAction, HostConsequences, HostDetail } from '@/server/api/contract'
import type { HostTruth } from '@/server/engine/host'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Menu } from '../ui/Menu'
import { tell } from '../ui/Toasts'
import { consequenceWords, hostActionWords, hostWords } from './words'

const ORDER: readonly HostAction[] = ['up', 'down', 'fenced', 'gone', 'enable', 'disable']

/** What a person may state about a host. Which of them now, and why not, comes with the row. */
export function HostActions({ host }: { host: HostDetail }) {
  const [asked, setAsked] = useState<HostAction | null>(null)
  return (
    <>
      <Menu
        label={hostWords.actions}
        trigger={<Button>{hostWords.actions}</Button>}
        entries={ORDER.map((action) => {
          const permit = host.permitted[action]
          const { verb, hint, danger } = hostActionWords[action]
          return {
            id: action,
            label: verb,
            hint,
            danger,
            why: permit.ok ? null : permit.why,
            onAction: () => setAsked(action),
          }
        })}
      />
      {asked ? <HostActionDialog host={host} action={asked} onClose={() => setAsked(null)} /> : null}
    </>
  )
}

function useHostAction(host: HostDetail, action: HostAction, onDone: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const options = {
    onSuccess: () => {
      tell('ok', `${host.name} ${hostActionWords[action].done}`)
      void queries.invalidateQueries(trpc.host.pathFilter())
      onDone()
    },
  }
  const truth = useMutation(trpc.host.setTruth.mutationOptions(options))
  const admission = useMutation(trpc.host.setAdmission.mutationOptions(options))
  const run = (reason: string | undefined) => {
    if (action === 'enable' || action === 'disable') {
      admission.mutate({ id: host.id, admission: action === 'enable' ? 'open' : 'disabled', reason })
    } else truth.mutate({ id: host.id, truth: action satisfies HostTruth, reason })
  }
  return { run, isPending: truth.isPending || admission.isPending, error: truth.error ?? admission.error }
}

function HostActionDialog(props: {
  readonly host: HostDetail
  readonly action: HostAction
  readonly onClose: () => void
}) {
  const { host, action, onClose } = props
  const trpc = useTRPC()
  const asked = useQuery(trpc.host.consequences.queryOptions({ id: host.id, action }, { staleTime: 0 }))
  const { run, isPending, error } = useHostAction(host, action, onClose)
  const { verb, danger } = hostActionWords[action]
  const { data } = asked
  const failure = error ?? asked.error
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`${verb}: ${host.name}`}
      verb={verb}
      danger={danger}
      consequences={data ? <Consequences of={data} /> : null}
      typedName={data?.needsTypedName ? host.name : null}
      needsReason={data?.needsReason}
      why={data && !data.permit.ok ? data.permit.why : null}
      isPending={isPending}
      error={failure ? <Failure error={failure} title={consoleWords.error.action(verb)} /> : null}
      onConfirm={run}
    />
  )
}

function Consequences({ of }: { of: HostConsequences }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0">{hostActionWords[of.action].hint}</p>
      <ul className="m-0 flex flex-col gap-0.5 pl-4">
        <li>{consequenceWords.instances(of.instances)}</li>
        <li>{consequenceWords.touched(of.movesTouched)}</li>
        <li>{consequenceWords.goOn(of.movesThatGoOn.length)}</li>
      </ul>
      <p className="m-0 text-xs text-soft">{consequenceWords.signed}</p>
    </div>
  )
}

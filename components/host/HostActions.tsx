'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostConsequences } from '@/server/api/host/router'
import type { HostDetail } from '@/server/api/host/view'
import type { Ref } from '@/server/api/names/names'
import type { HostAction } from '@/server/api/permit/permits'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { consoleWords } from '../console/words'
import { useWhyNotInPast } from '../past/address'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { Menu } from '../ui/overlay/Menu'
import { uiWords } from '../ui/words'
import { useAsksSecondPerson, useHostAction } from './state-action'
import { consequenceWords, hostActionWords, hostWords, secondPersonWords } from './words'

const ORDER: readonly HostAction[] = ['up', 'down', 'fenced', 'lost', 'enable', 'disable']

/**
 * What a person may state about a host. Which of them now, and why not, comes with the row. The open dialog is in the
 * address, so that whatever names a host can lead to it.
 */
export function HostActions({ host }: { host: HostDetail }) {
  const [asked, setAsked] = useChoice('act', ORDER)
  const asks = useAsksSecondPerson('up')
  const past = useWhyNotInPast()
  if (past) return <Button why={past}>{hostWords.actions}</Button>
  return (
    <>
      <Menu
        label={hostWords.actions}
        trigger={<Button>{hostWords.actions}</Button>}
        entries={ORDER.map((action) => {
          const permit = host.permitted[action]
          const { verb, hint, danger } = hostActionWords[action]
          const askable = asks && action !== 'enable' && action !== 'disable'
          return {
            id: action,
            label: askable ? secondPersonWords.ask(verb) : verb,
            hint,
            danger,
            why: permit.ok || askable ? null : permit.why,
            onAction: () => void setAsked(action, { history: 'push' }),
          }
        })}
      />
      {asked ? <HostActionDialog host={host} action={asked} onClose={() => void setAsked(null)} /> : null}
    </>
  )
}

/** Consequences in numbers, the host's name typed for the worst, and a reason. The only place where a status is set. */
export function HostActionDialog(props: {
  readonly host: Ref
  readonly action: HostAction
  /** What the button says that opened it, where that is not the verb of the action. */
  readonly label?: string
  readonly onClose: () => void
}) {
  const { host, action, label, onClose } = props
  const trpc = useTRPC()
  const asked = useQuery(trpc.host.consequences.queryOptions({ id: host.id, action }, { staleTime: 0 }))
  const { run, asks, isPending, error } = useHostAction(host, action, onClose)
  const { verb: plain, danger } = hostActionWords[action]
  const verb = asks ? secondPersonWords.ask(plain) : (label ?? plain)
  const { data } = asked
  const failure = error ?? asked.error
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={label ?? uiWords.labelled(verb, host.name)}
      verb={verb}
      danger={danger}
      consequences={data ? <Consequences of={data} /> : null}
      typedName={data?.needsTypedName ? host.name : null}
      needsReason={asks || data?.needsReason}
      why={!asks && data && !data.permit.ok ? data.permit.why : null}
      isPending={isPending}
      error={failure ? <Failure error={failure} title={consoleWords.error.action(verb)} /> : null}
      onConfirm={run}
    />
  )
}

function Consequences({ of }: { of: HostConsequences }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0 first-letter:uppercase">{hostActionWords[of.action].hint}.</p>
      <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
        <li>{consequenceWords.instances(of.instances)}</li>
        {of.movesTouched > 0 ? <li>{consequenceWords.touched(of.movesTouched)}</li> : null}
        {of.movesThatGoOn.length > 0 ? <li>{consequenceWords.goOn(of.movesThatGoOn.length)}</li> : null}
      </ul>
      <p className="m-0 text-xs text-soft">{consequenceWords.signed}</p>
    </div>
  )
}

'use client'
import { useQuery } from '@tanstack/react-query'
import type { HostConsequences } from '@/server/api/host/router'
import type { Ref } from '@/server/api/names/names'
import type { HostAction } from '@/server/api/permit/permits'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { useHostAction } from './state-action'
import { consequenceWords, hostActionWords, secondPersonWords } from './words'

/**
 * Consequences in numbers, a reason, and for the most dangerous actions the host's name. The only dialog that sets a
 * status.
 */
export function HostActionDialog(props: {
  readonly host: Ref
  readonly action: HostAction
  /** The label of the button that opened it, if it differs from the action's verb. */
  readonly label?: string
  readonly onClose: () => void
}) {
  const { host, action, label, onClose } = props
  const trpc = useTRPC()
  const asked = useQuery(trpc.host.consequences.queryOptions({ id: host.id, action }, { staleTime: 0 }))
  const { run, asks: mayOnlyAsk, isPending, error } = useHostAction(host, action, onClose)
  const asks = mayOnlyAsk || asked.data?.asks === true
  const { verb: plain, danger } = hostActionWords[action]
  const verb = asks ? secondPersonWords.ask(plain) : (label ?? plain)
  const { data } = asked
  return (
    <MutationDialog
      onClose={onClose}
      title={label ?? uiWords.labelled(verb, host.name)}
      confirmLabel={verb}
      danger={danger}
      consequences={data ? <Consequences of={data} asks={asks} /> : null}
      typedName={data?.needsTypedName ? host.name : null}
      needsReason={asks || data?.needsReason}
      disabledReason={!mayOnlyAsk && data && !data.permit.ok ? data.permit.why : null}
      mutation={{ isPending, error }}
      queryError={asked.error}
      onConfirm={run}
    />
  )
}

function Consequences({ of, asks }: { of: HostConsequences; asks: boolean }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0 first-letter:uppercase">{hostActionWords[of.action].hint}.</p>
      {of.answeredAt === null ? null : (
        <Note tone="bad" shape="triangle">
          {consequenceWords.answers} <RelativeTime at={of.answeredAt} />
        </Note>
      )}
      <ul className="m-0 flex list-disc flex-col gap-0.5 pl-4">
        <li>{consequenceWords.instances(of.instances)}</li>
        {of.movesTouched > 0 ? <li>{consequenceWords.touched(of.movesTouched)}</li> : null}
        {of.movesThatGoOn.length > 0 ? <li>{consequenceWords.goOn(of.movesThatGoOn.length)}</li> : null}
      </ul>
      <p className="m-0 text-xs text-soft">
        {consequenceWords.signed} {asks ? secondPersonWords.askedMore : consequenceWords.atOnce}
      </p>
    </div>
  )
}

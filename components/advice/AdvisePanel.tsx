'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Advice, AdviceView, AdvisedAction } from '@/server/api/advice/router'
import type { Ref } from '@/server/api/names/names'
import type { HostStatus } from '@/server/engine/host'
import type { RequestedAction } from '@/server/engine/migration/state'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { healDisabledReason } from '../finding/HealCell'
import { PlanHealButton } from '../finding/PlanHealButton'
import { HostActionDialog } from '../host/HostActionDialog'
import { ActionDialog } from '../migration/requested-action/ActionDialog'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { AdviceList } from './AdviceList'
import { actionWords, adviceWords as words } from './words'

const REQUESTED_ACTIONS: ReadonlySet<AdvisedAction> = new Set<RequestedAction>([
  'confirm',
  'revert',
  'abort',
  'force-complete',
  'retry',
])
const STATUSES: Partial<Readonly<Record<AdvisedAction, HostStatus>>> = {
  'mark-up': 'up',
  'mark-down': 'down',
  'mark-fenced': 'fenced',
  'mark-lost': 'lost',
}
const isRequestedAction = (action: AdvisedAction): action is RequestedAction => REQUESTED_ACTIONS.has(action)

export type AdviceAbout = { readonly kind: 'migration' | 'host'; readonly id: string }

/** Safe actions for a migration or a host; each links to its usual dialog or page. */
export function AdvisePanel({ about }: { about: AdviceAbout }) {
  return about.kind === 'migration' ? <MigrationAdvice id={about.id} /> : <OfHost id={about.id} />
}

function MigrationAdvice({ id }: { id: string }) {
  const trpc = useTRPC()
  return <Advised query={useQuery(trpc.advice.migration.queryOptions({ id }))} />
}

function OfHost({ id }: { id: string }) {
  const trpc = useTRPC()
  return <Advised query={useQuery(trpc.advice.host.queryOptions({ id }))} />
}

function Advised({ query }: { query: { data: AdviceView | undefined; error: unknown; refetch: () => unknown } }) {
  const [requestedAction, setRequestedAction] = useState<RequestedAction | null>(null)
  const [stated, setStated] = useState<{ host: Ref; status: HostStatus } | null>(null)
  return (
    <Loaded query={query} what={words.one} minHeight={320}>
      {(advice) => (
        <>
          <AdviceList
            advice={advice}
            control={(action) => (
              <Control
                advice={action}
                view={advice}
                onAction={setRequestedAction}
                onState={(host, status) => setStated({ host, status })}
              />
            )}
          />
          {requestedAction ? (
            <ActionDialog
              requestedAction={requestedAction}
              ids={[advice.subject.id]}
              name={advice.subject.name}
              onClose={() => setRequestedAction(null)}
            />
          ) : null}
          {stated ? (
            <HostActionDialog host={stated.host} action={stated.status} onClose={() => setStated(null)} />
          ) : null}
        </>
      )}
    </Loaded>
  )
}

interface ControlProps {
  readonly advice: Advice
  readonly view: AdviceView
  readonly onAction: (requestedAction: RequestedAction) => void
  readonly onState: (host: Ref, status: HostStatus) => void
}

/** The host that a statement is about: the subject itself, or the host in its proof. */
function hostOf({ advice, view }: ControlProps): Ref | null {
  if (view.subject.kind === 'host') return { id: view.subject.id, name: view.subject.name }
  return advice.host ?? advice.proof.find(({ host }) => host !== null)?.host ?? null
}

function Control(props: ControlProps) {
  const { action, permit } = props.advice
  const why = permit.ok ? null : permit.why
  const host = hostOf(props)
  const status = STATUSES[action]
  if (action === 'wait') return null
  if (action === 'heal') return <HealControl subject={props.view.subject} why={why} />
  if (action === 'evacuate') {
    return why === null && host ? (
      <ButtonLink href={paths.evacuate(host.id)}>{words.do(actionWords.evacuate)}</ButtonLink>
    ) : (
      <Button disabledReason={why ?? words.noHost}>{words.do(actionWords.evacuate)}</Button>
    )
  }
  const onPress = () => {
    if (status && host) props.onState(host, status)
    else if (isRequestedAction(action)) props.onAction(action)
  }
  return (
    <Button
      variant={props.advice.verdict === 'unsafe' && !why ? 'warning' : 'plain'}
      disabledReason={why ?? (status && !host ? words.noHost : null)}
      onPress={onPress}
    >
      {words.do(actionWords[action])}
    </Button>
  )
}

function HealControl({ subject, why }: { subject: AdviceView['subject']; why: string | null }) {
  const trpc = useTRPC()
  const found = useQuery(trpc.finding.list.queryOptions({ [subject.kind]: subject.id, limit: 200 }))
  const healable = (found.data?.rows ?? []).filter((row) => healDisabledReason(row) === null)
  return (
    <PlanHealButton
      findings={healable.map((row) => row.id)}
      disabledReason={why ?? (healable.length === 0 ? words.nothingToHeal : null)}
    />
  )
}

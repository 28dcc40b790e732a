'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProposalView } from '@/server/api/proposal/propose'
import type { RefusalView } from '@/server/api/refusal/view'
import { ActionFailure, Refusals } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { cx } from '../ui/cx'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { showToast } from '../ui/overlay/Toasts'
import { RelativeTime } from '../ui/time/Clock'
import { toneText } from '../ui/tone'
import { uiWords } from '../ui/words'
import { healWords, proposalBadges } from './words'

const words = healWords.approval

function nameOf({ kind, host, status, cloud }: ProposalView): string {
  if (kind === 'cloud') return cloud?.does.replace(/\.$/, '') ?? ''
  return NAMES[kind](host?.name ?? '', status ?? '')
}

const NAMES: Readonly<Record<Exclude<ProposalView['kind'], 'cloud'>, (host: string, status: string) => string>> = {
  heal: () => words.approveHeal,
  release: () => words.approveRelease,
  evacuation: words.approveEvacuation,
  fencing: words.approveFencing,
  'host-status': (host, status) => words.approveHost(status, host),
}

interface ProposalNoteProps {
  readonly proposal: ProposalView
  /** The page shows what is requested. */
  readonly isHere?: boolean
}

/** A request awaiting a second person, with that person's two buttons. */
export function ProposalNote({ proposal, isHere }: ProposalNoteProps) {
  const [asked, setAsked] = useState<'approve' | 'refuse' | null>(null)
  const badge = proposalBadges[proposal.state]
  const why = proposal.permit.ok ? null : proposal.permit.why
  return (
    <Note tone={badge.tone} shape={badge.shape}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className={cx('self-start', toneText[badge.tone])}>{badge.label}</span>
        <span className="min-w-0 flex-1">
          <strong className="font-medium">{nameOf(proposal)}</strong>. {words.asks(proposal.by)},{' '}
          <RelativeTime at={proposal.at} />: <q>{proposal.reason}</q>{' '}
          {proposal.host ? <HostLink host={proposal.host} /> : null}
          {isHere ? null : <ProposalSubject proposal={proposal} />}
          {proposal.state === 'open' ? <span className="block text-xs text-soft">{words.waits}</span> : null}
          {proposal.decidedBy ? (
            <span className="block text-xs text-soft">{words.decided(proposal.decidedBy)}</span>
          ) : null}
        </span>
        {proposal.state === 'open' ? (
          <span className="flex gap-2">
            <Button disabledReason={why} onPress={() => setAsked('refuse')}>
              {words.refuse}
            </Button>
            <Button variant={why ? 'plain' : 'primary'} disabledReason={why} onPress={() => setAsked('approve')}>
              {words.approve}
            </Button>
          </span>
        ) : null}
      </div>
      {asked ? <Decide proposal={proposal} approve={asked === 'approve'} onClose={() => setAsked(null)} /> : null}
    </Note>
  )
}

function ProposalSubject({ proposal }: { proposal: ProposalView }) {
  const { kind, plan, host, consumer, consumerName, cloud } = proposal
  if (cloud) return <TextLink href={paths.cloud(cloud.id)}>{words.openCloud}</TextLink>
  if (consumer) return <Copyable text={consumer} short={consumerName ?? consumer.slice(0, 8)} />
  if (kind === 'evacuation' && host) return <TextLink href={paths.evacuate(host.id)}>{words.readRun}</TextLink>
  return plan ? <TextLink href={paths.healPlan(plan)}>{words.readHeal}</TextLink> : null
}

function Decide(props: { readonly proposal: ProposalView; readonly approve: boolean; readonly onClose: () => void }) {
  const { proposal, approve, onClose } = props
  const trpc = useTRPC()
  const queries = useQueryClient()
  const decide = useMutation(
    trpc.proposal.decide.mutationOptions({
      onSuccess: ({ state, refusal }) => {
        void queries.invalidateQueries(trpc.proposal.pathFilter())
        void queries.invalidateQueries(trpc.heal.pathFilter())
        void queries.invalidateQueries(trpc.host.pathFilter())
        void queries.invalidateQueries(trpc.run.pathFilter())
        void queries.invalidateQueries(trpc.consumer.pathFilter())
        void queries.invalidateQueries(trpc.cloud.pathFilter())
        void queries.invalidateQueries(trpc.cloudAction.pathFilter())
        void queries.invalidateQueries(trpc.cloudDrain.pathFilter())
        // The dialog says why.
        if (state === 'open') return
        if (refusal !== null) showToast('warn', words.inPart, { detail: refusal.have })
        else if (state === 'approved') showToast('ok', words.approved)
        else showToast('warn', proposalBadges[state].label)
        onClose()
      },
    }),
  )
  const verb = approve ? words.approve : words.refuse
  const refused = decide.data?.state === 'open' && !decide.isPending ? decide.data : null
  return (
    <ConfirmDialog
      needsReason
      danger={approve && proposal.kind !== 'heal'}
      onClose={onClose}
      title={uiWords.labelled(verb, nameOf(proposal))}
      confirmLabel={verb}
      typedName={approve && proposal.kind !== 'release' ? (proposal.host?.name ?? null) : null}
      consequences={<p className="m-0">{approve ? words.consequence : words.consequenceRefuse}</p>}
      isPending={decide.isPending}
      error={refused ? <NotCarriedOut refusal={refused.refusal} /> : <ActionFailure error={decide.error} what={verb} />}
      onConfirm={(reason) => decide.mutate({ id: proposal.id, approve, reason: reason ?? '' })}
    />
  )
}

const NotCarriedOut = ({ refusal }: { refusal: RefusalView | null }) => (
  <Note tone="bad" shape="cross">
    {words.notCarriedOut}
    {refusal ? <Refusals refusals={[refusal]} fallback="" /> : null}
  </Note>
)

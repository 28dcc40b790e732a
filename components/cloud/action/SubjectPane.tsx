'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { CloudOffer, CloudSubjectView } from '@/server/api/cloud/action-view'
import type { SubjectKind } from '@/server/engine/cloud/action/action'
import { useOperatorDenial } from '../../console/denial'
import { Loaded } from '../../console/Failure'
import { paths } from '../../console/paths'
import { useTRPC } from '../../console/trpc'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { ButtonLink } from '../../ui/Link'
import { lateOverlay } from '../../ui/overlay/LateOverlay'
import { Menu } from '../../ui/overlay/Menu'
import { PanelPart, SidePanel } from '../../ui/Panel'
import { witnessWords } from '../witness/words'
import { cloudWords } from '../words'
import { RequestedActions } from './RequestedActions'
import { cloudActionLabels, INTERRUPTING, cloudActionWords as words } from './words'

// Loaded when an action is requested.
const ActionDialog = lateOverlay(() => import('./ActionDialog').then((code) => code.ActionDialog))
const DrainPart = dynamic(() => import('../host-drain/DrainPart').then((code) => code.DrainPart), {
  loading: () => null,
})
const FenceButton = dynamic(() => import('./FenceButton').then((code) => code.FenceButton), { loading: () => null })

interface Props {
  readonly cloud: string
  readonly kind: SubjectKind
  readonly subject: string
  readonly mayAct: boolean
  readonly onClose: () => void
}

interface OpenAction {
  readonly offer: CloudOffer
  readonly name: string
}

/** Beside a list: available and past actions of the picked row. */
export function SubjectPane({ cloud, kind, subject, mayAct, onClose }: Props) {
  const trpc = useTRPC()
  const query = useQuery(trpc.cloudAction.offers.queryOptions({ id: cloud, kind, subject }))
  // Here, so that its dialog stays, with what was typed, while a read of the cloud lacks the subject.
  const [asked, setAsked] = useState<OpenAction | null>(null)
  const whyNot = useOperatorDenial()
  const forbidden = whyNot ?? (mayAct ? null : words.readOnly)
  return (
    <SidePanel opened label={words.subjects[kind]}>
      <Loaded query={query} what={words.subjects[kind]} minHeight={240}>
        {(view) => (
          <div className="flex flex-col gap-3">
            <div className="flex items-start justify-between gap-2">
              <div className="min-w-0">
                <h2 className="m-0 text-base font-semibold break-words">{view?.name ?? words.subjects[kind]}</h2>
                {kind === 'host' ? null : <Copyable text={subject} short={subject.slice(0, 8)} />}
              </div>
              <Button size="sm" onPress={onClose}>
                {cloudWords.close}
              </Button>
            </div>
            {view === null ? (
              <p className="m-0 text-soft">{words.gone}</p>
            ) : (
              <Subject
                {...{ cloud, kind, subject, view, forbidden }}
                onAsk={(offer) => setAsked({ offer, name: view.name })}
              />
            )}
          </div>
        )}
      </Loaded>
      {asked ? (
        <ActionDialog
          cloud={cloud}
          verb={asked.offer.verb}
          subject={asked.offer.subject}
          name={asked.name}
          disabledReason={forbidden}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </SidePanel>
  )
}

interface SubjectProps extends Omit<Props, 'onClose' | 'mayAct'> {
  readonly view: CloudSubjectView
  /** Why nothing may be requested here. */
  readonly forbidden: string | null
  readonly onAsk: (offer: CloudOffer) => void
}

function Subject({ cloud, kind, subject, view: { says, offers, actions, fence }, forbidden, onAsk }: SubjectProps) {
  const main = offers.find(({ why }) => why === null) ?? offers[0]
  return (
    <>
      <p className="m-0 text-sm break-words">{says}</p>
      <div className="flex flex-wrap gap-2">
        {main ? (
          <Button
            variant={INTERRUPTING.has(main.verb) ? 'plain' : 'primary'}
            disabledReason={forbidden ?? main.why}
            onPress={() => onAsk(main)}
          >
            {cloudActionLabels[main.verb].verb}
          </Button>
        ) : null}
        <Menu
          label={words.menu}
          trigger={<Button>{words.menu}</Button>}
          entries={offers
            .filter((offer) => offer !== main)
            .map((offer) => ({
              id: offer.verb,
              label: cloudActionLabels[offer.verb].verb,
              hint: cloudActionLabels[offer.verb].hint,
              disabledReason: forbidden ?? offer.why,
              onAction: () => onAsk(offer),
            }))}
        />
        {kind === 'host' ? (
          <ButtonLink href={paths.cloudHost(cloud, subject)}>{witnessWords.showMap}</ButtonLink>
        ) : null}
        {kind === 'host' ? <FenceButton cloud={cloud} host={subject} isFenced={fence !== null} /> : null}
      </div>
      {fence ? <p className="m-0 text-sm text-soft">{words.fenced(words.byline(fence.who, fence.reason))}</p> : null}
      {kind === 'host' ? <DrainPart cloud={cloud} host={subject} disabledReason={forbidden} /> : null}
      <PanelPart title={words.requested}>
        <RequestedActions actions={actions} />
      </PanelPart>
    </>
  )
}

'use client'
import { useState } from 'react'
import type { EvacuationView } from '@/server/api/run/evacuation'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { dash } from '../ui/dash'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { FenceButton } from './FenceButton'
import { FencingAttempt } from './FencingAttempt'
import { mayAttest } from './stages'
import { evacuationWords } from './words'

// Loaded when an operator attests it.
const HostActionDialog = lateOverlay(() => import('../host/HostActionDialog').then((code) => code.HostActionDialog))

const words = evacuationWords.fencing

/**
 * Evidence that no instance runs there, and the ways to get it: a fencing device if configured, else an attestation.
 */
export function FencingPanel({ view }: { view: EvacuationView }) {
  const { fencing } = view
  const { state, method, attempt } = fencing
  return (
    <Panel title={words.title} aside={<StateBadge badge={words.badges[state]} />}>
      <div className="flex flex-col items-start gap-2">
        {state === 'none' ? null : (
          <KeyValue
            facts={[
              { key: words.how, value: fencing.how },
              { key: state === 'verified' ? words.askedFor : words.attestedBy, value: fencing.by ?? dash },
              { key: words.at, value: fencing.at === null ? dash : <RelativeTime at={fencing.at} /> },
            ]}
          />
        )}
        {state === 'contradicted' ? (
          <Note tone="bad" shape="triangle">
            {words.contradicted}
          </Note>
        ) : null}
        {state === 'none' ? (
          <>
            <p className="m-0 text-sm">{fencing.how}</p>
            <p className="m-0 text-sm">{words.means}</p>
          </>
        ) : null}
        {attempt ? <FencingAttempt attempt={attempt} /> : null}
        {method !== null && state !== 'verified' ? (
          <>
            <p className="m-0 text-xs text-soft">
              {words.by(method)} {method.verifies ? words.verifies(method.deadlineMs) : words.cannotVerify}
            </p>
            <FenceButton view={view} method={method} />
          </>
        ) : null}
        {state === 'none' && mayAttest(fencing) ? <Attest view={view} /> : null}
      </div>
    </Panel>
  )
}

function Attest({ view }: { view: EvacuationView }) {
  const [stating, setStating] = useState(false)
  return (
    <>
      <p className="m-0 text-xs text-soft">{view.fencing.method === null ? words.attestMore : words.attestAfter}</p>
      <Button variant="warning" onPress={() => setStating(true)}>
        {words.attest}
      </Button>
      {stating ? <HostActionDialog host={view.host} action="fenced" onClose={() => setStating(false)} /> : null}
    </>
  )
}

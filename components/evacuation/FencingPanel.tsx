'use client'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { EvacuationView } from '@/server/api/run/evacuation'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { dash } from '../ui/dash'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { evacuationWords } from './words'

// Loaded when somebody attests it.
const HostActionDialog = dynamic(() => import('../host/HostActionDialog').then((code) => code.HostActionDialog), {
  loading: () => null,
})

const words = evacuationWords.fencing

/** Who attested that no guest runs there, or the way for a person to sign it. */
export function FencingPanel({ view }: { view: EvacuationView }) {
  const [stating, setStating] = useState(false)
  const { fencing } = view
  return (
    <Panel title={words.title} aside={<StateBadge look={words.looks[fencing.state]} />}>
      {fencing.state === 'none' ? null : (
        <KeyValue
          facts={[
            { key: words.how, value: fencing.how },
            { key: words.by, value: fencing.by ?? dash },
            { key: words.at, value: fencing.at === null ? dash : <RelativeTime at={fencing.at} /> },
          ]}
        />
      )}
      {fencing.state === 'contradicted' ? (
        <Note tone="bad" shape="triangle">
          {words.contradicted}
        </Note>
      ) : null}
      {fencing.state !== 'none' ? null : (
        <div className="flex flex-col items-start gap-2">
          <p className="m-0 text-sm">{fencing.how}</p>
          <p className="m-0 text-sm">{words.means}</p>
          <p className="m-0 text-xs text-soft">{words.attestMore}</p>
          <Button look="warning" onPress={() => setStating(true)}>
            {words.attest}
          </Button>
        </div>
      )}
      {stating ? <HostActionDialog host={view.host} action="fenced" onClose={() => setStating(false)} /> : null}
    </Panel>
  )
}

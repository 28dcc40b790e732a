'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RunDetail } from '@/server/api/run/view'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { drainWords } from './words'

const HostActionDialog = lateOverlay(() => import('../host/HostActionDialog').then((code) => code.HostActionDialog))

const words = drainWords.back

/**
 * A drain ends with its host disabled; after the maintenance this enables it again. The drain says whether the host is
 * disabled, so the note pushes nothing down when the host's rights arrive; until then, its dialog checks them.
 */
export function ReturnToService({ run }: { run: Pick<RunDetail, 'host' | 'scheduling'> }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.host.byId.queryOptions({ id: run.host.id }))
  const [asked, setAsked] = useState(false)
  const { host } = run
  if ((data?.scheduling ?? run.scheduling) !== 'disabled') return null
  const permit = data?.permitted.enable
  return (
    <Note tone="warn" shape="pause">
      <span className="flex flex-wrap items-center justify-between gap-2">
        {words.note(host.name)}
        <Button disabledReason={permit && !permit.ok ? permit.why : null} onPress={() => setAsked(true)}>
          {words.button(host.name)}
        </Button>
      </span>
      {asked ? (
        <HostActionDialog host={host} action="enable" label={words.button(host.name)} onClose={() => setAsked(false)} />
      ) : null}
    </Note>
  )
}

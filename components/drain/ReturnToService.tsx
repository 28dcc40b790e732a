'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RunDetail } from '@/server/api/run/view'
import { useTRPC } from '../console/trpc'
import { HostActionDialog } from '../host/HostActionDialog'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { drainWords } from './words'

const words = drainWords.back

/** A drain ends with its host disabled; after the maintenance this enables it again. */
export function ReturnToService({ run }: { run: Pick<RunDetail, 'host'> }) {
  const trpc = useTRPC()
  const { data: host } = useQuery(trpc.host.byId.queryOptions({ id: run.host.id }))
  const [asked, setAsked] = useState(false)
  if (host?.scheduling !== 'disabled') return null
  const permit = host.permitted.enable
  return (
    <Note tone="warn" shape="pause">
      <span className="flex flex-wrap items-center justify-between gap-2">
        {words.note(host.name)}
        <Button disabledReason={permit.ok ? null : permit.why} onPress={() => setAsked(true)}>
          {words.button(host.name)}
        </Button>
      </span>
      {asked ? (
        <HostActionDialog host={host} action="enable" label={words.button(host.name)} onClose={() => setAsked(false)} />
      ) : null}
    </Note>
  )
}

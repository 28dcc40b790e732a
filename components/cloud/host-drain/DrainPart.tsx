'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CloudDrainView } from '@/server/api/cloud/drain-router'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { StateBadge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { lateOverlay } from '../../ui/overlay/LateOverlay'
import { showToast } from '../../ui/overlay/Toasts'
import { PanelPart } from '../../ui/Panel'
import { RelativeTime } from '../../ui/time/Clock'
import { uiWords } from '../../ui/words'
import { RequestedActions } from '../action/RequestedActions'
import { cloudActionWords } from '../action/words'
import { cloudDrainBadges, cloudDrainWords as words } from './words'

// Loaded when a drain is requested.
const DrainDialog = lateOverlay(() => import('./DrainDialog').then((code) => code.DrainDialog))

interface Props {
  readonly cloud: string
  readonly host: string
  /** Why it may not be requested. */
  readonly disabledReason: string | null
}

/** The newest drain of a host, with start and stop. */
export function DrainPart({ cloud, host, disabledReason }: Props) {
  const trpc = useTRPC()
  const drain = useQuery(trpc.cloudDrain.ofHost.queryOptions({ id: cloud, host })).data ?? null
  const [open, setOpen] = useState<'start' | 'stop' | null>(null)
  const isGoing = drain?.state === 'going'
  const close = () => setOpen(null)
  return (
    <PanelPart title={words.drain}>
      <div className="flex flex-col items-start gap-2">
        {drain === null ? null : <Drain drain={drain} />}
        <Button
          disabledReason={disabledReason}
          variant={isGoing ? 'warning' : 'plain'}
          onPress={() => setOpen(isGoing ? 'stop' : 'start')}
        >
          {isGoing ? words.stop : words.start}
        </Button>
        {drain === null || drain.actions.length === 0 ? null : (
          <RequestedActions named label={words.actions} actions={drain.actions} />
        )}
      </div>
      {open === 'start' ? <DrainDialog cloud={cloud} host={host} onClose={close} /> : null}
      {open === 'stop' ? <StopDialog cloud={cloud} host={host} onClose={close} /> : null}
    </PanelPart>
  )
}

const Drain = ({ drain: { state, says, who, reason, startedAt, endedAt } }: { drain: CloudDrainView }) => (
  <div className="text-sm" aria-live="polite">
    <span className="flex flex-wrap items-baseline gap-x-2">
      <StateBadge badge={cloudDrainBadges[state]} />
      <span className="text-xs text-soft">
        <RelativeTime at={endedAt ?? startedAt} />
      </span>
    </span>
    {says === null ? null : <span className="block break-words">{says}</span>}
    <span className="block break-words text-xs text-faint">{cloudActionWords.byline(who, reason)}</span>
  </div>
)

function StopDialog({ cloud, host, onClose }: Omit<Props, 'disabledReason'> & { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stop = useMutation(
    trpc.cloudDrain.stop.mutationOptions({
      onSuccess: async () => {
        showToast('ok', words.stopped(host))
        await queries.invalidateQueries(trpc.cloudDrain.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      needsReason
      onClose={onClose}
      title={uiWords.labelled(words.stop, host)}
      confirmLabel={words.stop}
      consequences={<p className="m-0">{words.stopMeans}</p>}
      mutation={stop}
      onConfirm={(reason = '') => stop.mutate({ id: cloud, host, reason })}
    />
  )
}

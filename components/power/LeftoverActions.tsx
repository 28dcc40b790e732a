'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FindingDetail } from '@/server/api/finding/router'
import type { Ref } from '@/server/api/names/names'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { showToast } from '../ui/overlay/Toasts'
import { leftoverWords as words } from './words'

// Loaded when adopting.
const AdoptDialog = lateOverlay(() => import('./AdoptDialog').then((code) => code.AdoptDialog))

/** Findings about a domain on a host where no record places it. */
const KINDS: ReadonlySet<FindingDetail['kind']> = new Set([
  'domain-unknown',
  'domain-leftover',
  'instance-runs-elsewhere',
  'instance-runs-while-shelved',
  'quarantined-host-runs',
])

/** The two actions on such a domain, each with its reason if unavailable. */
export function LeftoverActions({ finding }: { finding: FindingDetail }) {
  const { host, instance, kind, closedAt } = finding
  if (!KINDS.has(kind) || host === null || instance === null || closedAt !== null) return null
  return <LeftoverMenu host={host} instance={instance} />
}

function LeftoverMenu({ host, instance }: { host: Ref; instance: Ref }) {
  const trpc = useTRPC()
  const [asked, setAsked] = useState<'adopt' | 'remove' | null>(null)
  const { data } = useQuery(trpc.power.leftover.queryOptions({ host: host.id, instance: instance.id }))
  if (!data) return null
  const { adopt, remove, known } = data
  return (
    <>
      {known === null ? (
        <Button disabledReason={adopt.ok ? null : adopt.why} onPress={() => setAsked('adopt')}>
          {words.adopt}
        </Button>
      ) : null}
      <Button variant="danger" disabledReason={remove.ok ? null : remove.why} onPress={() => setAsked('remove')}>
        {words.remove(host.name)}
      </Button>
      {asked === 'adopt' ? <AdoptDialog host={host} instance={instance} onClose={() => setAsked(null)} /> : null}
      {asked === 'remove' ? <RemoveDialog host={host} instance={instance} onClose={() => setAsked(null)} /> : null}
    </>
  )
}

function RemoveDialog({ host, instance, onClose }: { host: Ref; instance: Ref; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const remove = useMutation(
    trpc.power.removeLeftover.mutationOptions({
      onSuccess: () => {
        void queries.invalidateQueries(trpc.power.pathFilter())
        showToast('flow', words.removal(instance.name, host.name), { detail: words.removalMore })
        onClose()
      },
    }),
  )
  const verb = words.remove(host.name)
  return (
    <MutationDialog
      danger
      needsReason
      onClose={onClose}
      title={words.removeTitle(instance.name, host.name)}
      confirmLabel={verb}
      typedName={instance.name}
      consequences={<p className="m-0">{words.removeMeans(host.name)}</p>}
      mutation={remove}
      onConfirm={(reason) => remove.mutate({ host: host.id, instance: instance.id, reason: reason ?? '' })}
    />
  )
}

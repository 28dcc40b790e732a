'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostDetail } from '@/server/api/host/view'
import { useTRPC } from '../console/trpc'
import { usePastReadOnlyReason } from '../past/address'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { storageWords as words } from './words'

const StorageDialog = lateOverlay(() => import('./StorageDialog').then((code) => code.StorageDialog))

/** Where disks of the host's instances are stored, with the edit dialog. */
export function SharedStorageFact({ host }: { host: HostDetail }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.storage.list.queryOptions())
  const [isOpen, setOpen] = useState(false)
  const past = usePastReadOnlyReason()
  if (data === undefined) return null
  const { storages, permit } = data
  const mine = storages.find(({ hosts }) => hosts.includes(host.id)) ?? null
  return (
    <span className="flex flex-wrap items-center gap-2">
      {mine ? words.share(mine.name, mine.usedGib, mine.totalGib) : words.none}
      <Button disabledReason={past ?? (permit.ok ? null : permit.why)} onPress={() => setOpen(true)}>
        {mine ? words.leave : words.join}
      </Button>
      {isOpen ? <StorageDialog host={host} mine={mine} all={storages} onClose={() => setOpen(false)} /> : null}
    </span>
  )
}

'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { HostAction } from '@/server/api/permit/permits'
import type { FoundHost, FoundMigration } from '@/server/api/search/router'
import type { RequestedAction } from '@/server/engine/migration/state'
import { signOut } from '../console/sign-out'
import { HostActionDialog } from '../host/HostActionDialog'
import { ActionDialog } from '../migration/requested-action/ActionDialog'
import { Modal } from '../ui/overlay/Dialog'
import { useClockZone } from '../ui/time/zone'
import type { PaletteAction } from './entries'
import { Finder } from './Finder'
import { paletteWords as words } from './words'

type PendingAction =
  | { readonly ask: 'host'; readonly host: FoundHost; readonly action: HostAction }
  | { readonly ask: 'requestedAction'; readonly migration: FoundMigration; readonly requestedAction: RequestedAction }

export interface PaletteProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The palette itself, with the confirmation dialogs of its actions. */
export function OpenPalette({ isOpen, onClose }: PaletteProps) {
  const router = useRouter()
  const queries = useQueryClient()
  const { toggle } = useClockZone()
  const [asked, setAsked] = useState<PendingAction | null>(null)
  const perform = (action: PaletteAction) => {
    onClose()
    switch (action.do) {
      case 'go':
        return router.push(action.href)
      case 'host':
        return setAsked({ ask: 'host', host: action.host, action: action.action })
      case 'requestedAction':
        return setAsked({
          ask: 'requestedAction',
          migration: action.migration,
          requestedAction: action.requestedAction,
        })
      case 'sign-out':
        return void signOut(queries)
      case 'toggle-clock':
        return toggle()
    }
  }
  return (
    <>
      <Modal isOpen={isOpen} onClose={onClose} label={words.title}>
        <Finder onAction={perform} />
      </Modal>
      {asked ? <PendingActionDialog pending={asked} onClose={() => setAsked(null)} /> : null}
    </>
  )
}

function PendingActionDialog({ pending, onClose }: { pending: PendingAction; onClose: () => void }) {
  if (pending.ask === 'host') return <HostActionDialog host={pending.host} action={pending.action} onClose={onClose} />
  const { migration, requestedAction } = pending
  return (
    <ActionDialog
      requestedAction={requestedAction}
      ids={[migration.id]}
      name={migration.instance.name}
      onClose={onClose}
    />
  )
}

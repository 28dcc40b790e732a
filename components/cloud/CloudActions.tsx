'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { CloudView } from '@/server/api/cloud/answers'
import { useWhyNot } from '../console/denial'
import { MutationDialog } from '../console/MutationDialog'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import { cloudWords as words } from './words'

type Action = keyof typeof words.actions

/** The changes possible on a cloud, each with the reason if unavailable. */
export function CloudActions({ cloud }: { cloud: CloudView }) {
  const why = useWhyNot('addHost')
  const [open, setOpen] = useState<Action | null>(null)
  const actions: readonly Action[] = [cloud.mayAct ? 'forbid' : 'allow', cloud.enabled ? 'stop' : 'start', 'remove']
  return (
    <>
      {actions.map((action, at) => (
        <Button
          // A change turns the button into its opposite, which keeps the focus.
          // biome-ignore lint/suspicious/noArrayIndexKey: each has its place
          key={at}
          variant={action === 'remove' ? 'warning' : 'plain'}
          disabledReason={why}
          onPress={() => setOpen(action)}
        >
          {words.actions[action]}
        </Button>
      ))}
      {open ? <ActionDialog cloud={cloud} action={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

interface DialogProps {
  readonly cloud: CloudView
  readonly action: Action
  readonly onClose: () => void
}

const CHANGES = {
  allow: { mayAct: true },
  forbid: { mayAct: false },
  stop: { enabled: false },
  start: { enabled: true },
} as const

function ActionDialog({ cloud: { id, name }, action, onClose }: DialogProps) {
  const trpc = useTRPC()
  const { push } = useRouter()
  const client = useQueryClient()
  const onSuccess = async () => {
    showToast('ok', words.done[action](name))
    if (action === 'remove') push(paths.clouds())
    else await client.invalidateQueries(trpc.cloud.pathFilter())
    onClose()
  }
  const change = useMutation(trpc.cloud.change.mutationOptions({ onSuccess }))
  const remove = useMutation(trpc.cloud.remove.mutationOptions({ onSuccess }))
  const verb = words.actions[action]
  return (
    <MutationDialog
      onClose={onClose}
      title={uiWords.labelled(verb, name)}
      confirmLabel={verb}
      danger={action === 'remove' || action === 'allow'}
      consequences={<p className="m-0">{words.means[action]}</p>}
      typedName={action === 'remove' ? name : null}
      needsReason
      mutation={action === 'remove' ? remove : change}
      onConfirm={(reason = '') =>
        action === 'remove' ? remove.mutate({ id, reason }) : change.mutate({ id, ...CHANGES[action], reason })
      }
    />
  )
}

'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SavedViewItem } from '@/server/api/view/router'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import { Dialog } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import { addressOf } from './query'
import { viewWords as words } from './words'

export function ManageViews({ views, onClose }: { views: readonly SavedViewItem[]; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const remove = useMutation(
    trpc.view.remove.mutationOptions({
      onSuccess: ({ id }) => {
        showToast('ok', words.removed(views.find((view) => view.id === id)?.name ?? id))
        void queries.invalidateQueries(trpc.view.pathFilter())
      },
    }),
  )
  return (
    <Dialog isOpen onClose={onClose} title={words.manageTitle}>
      <ActionFailure error={remove.error} what={words.remove} />
      <ul className="m-0 flex list-none flex-col p-0">
        {views.map((view) => (
          <li key={view.id} className="flex items-center gap-3 border-b border-line/60 py-1.5 last:border-0">
            <TextLink href={addressOf(view)}>{view.name}</TextLink>
            {view.shared ? (
              <span className="text-xs text-faint">{view.mine ? words.sharedByYou : words.shared(view.owner)}</span>
            ) : null}
            <Button
              size="sm"
              className="ml-auto"
              aria-label={words.removeNamed(view.name)}
              disabledReason={view.permitted.remove.ok ? null : view.permitted.remove.why}
              onPress={() => remove.mutate({ id: view.id })}
            >
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

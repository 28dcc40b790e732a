'use client'
import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { usePathname, useSearchParams } from 'next/navigation'
import { useState } from 'react'
import type { SavedViewItem } from '@/server/api/view/router'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Menu, type MenuEntry } from '../ui/overlay/Menu'
import { addressOf, viewQuery } from './query'
import { viewWords as words } from './words'

const ManageViews = lateOverlay(() => import('./ManageViews').then((code) => code.ManageViews))
const SaveView = lateOverlay(() => import('./SaveView').then((code) => code.SaveView))

/** Saved views of this page, and a button to save the current one. */
export function ViewsMenu() {
  const trpc = useTRPC()
  const path = usePathname()
  const query = viewQuery(useSearchParams())
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const { data, error } = useQuery(trpc.view.list.queryOptions({ path }))
  const views = data?.views ?? []
  const save = data?.permitted.save
  // Until the right is known, the dialog opens as soon as it is.
  const disabledReason = save ? (save.ok ? null : save.why) : error ? words.failed : null
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        label={words.menu}
        trigger={
          <Button>
            <Bookmark size={13} aria-hidden="true" />
            {words.menu}
          </Button>
        }
        entries={[
          ...(data && views.length === 0 ? [{ id: 'none', label: words.none }] : []),
          ...views.map((view) => viewEntry(view, query)),
          { id: 'save', label: words.save, hint: words.saveHint, disabledReason, onAction: () => setOpen('save') },
          ...(views.length > 0 ? [{ id: 'manage', label: words.manage, onAction: () => setOpen('manage') }] : []),
        ]}
      />
      {open === 'save' && data ? (
        <SaveView path={path} query={query} share={data.permitted.share} onClose={close} />
      ) : null}
      {open === 'manage' ? <ManageViews views={views} onClose={close} /> : null}
    </>
  )
}

function viewEntry(view: SavedViewItem, query: string): MenuEntry {
  const owner = view.mine ? words.sharedByYou : words.shared(view.owner)
  return {
    id: view.id,
    label: view.name,
    hint: view.shared ? owner : undefined,
    checked: view.query === query,
    href: addressOf(view),
  }
}

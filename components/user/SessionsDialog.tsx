'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSessionView } from '@/server/api/session/open'
import { Loaded } from '../console/Failure'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { Drawer } from '../ui/overlay/Dialog'
import { Table } from '../ui/table/Table'
import { type UserProps, useDone } from './parts'
import { sessionColumns } from './session-columns'
import { sessionListWords as words } from './words'

/** A user's sessions, with a button to end them. */
export function SessionsDialog({ user, onClose }: UserProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.user.sessions.queryOptions({ id: user.id }))
  const [ending, setEnding] = useState<OpenSessionView | 'all' | null>(null)
  return (
    <Drawer isOpen onClose={onClose} title={words.title(user.username)}>
      <div className="flex flex-col gap-3">
        <Loaded query={query} what={words.what} minHeight={160}>
          {(sessions) => (
            <>
              <Table
                bare
                label={words.title(user.username)}
                columns={sessionColumns(setEnding)}
                rows={sessions}
                empty={<EmptyState title={words.none} />}
              />
              {sessions.length > 1 ? (
                <Button className="self-start" onPress={() => setEnding('all')}>
                  {words.endAll}
                </Button>
              ) : null}
            </>
          )}
        </Loaded>
      </div>
      {ending ? <EndDialog user={user} ending={ending} onClose={() => setEnding(null)} /> : null}
    </Drawer>
  )
}

function EndDialog({ user, ending, onClose }: UserProps & { readonly ending: OpenSessionView | 'all' }) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const end = useMutation(trpc.user.endSessions.mutationOptions({ onSuccess: ({ ended }) => done(words.ended(ended)) }))
  const verb = ending === 'all' ? words.endAll : words.end
  const message = ending === 'all' ? words.endsAll(user.username) : words.ends(ending.address ?? words.unknown)
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={verb}
      danger
      needsReason
      consequences={<p className="m-0">{message}</p>}
      mutation={end}
      onConfirm={(reason = '') => end.mutate({ id: user.id, session: ending === 'all' ? null : ending.id, reason })}
    />
  )
}

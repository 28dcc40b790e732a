'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionView } from '@/server/api/user/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Tag } from '../ui/Badge'
import { Button } from '../ui/Button'
import { dash } from '../ui/dash'
import { EmptyState } from '../ui/Message'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { Drawer } from '../ui/overlay/Dialog'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { browserText } from './browser'
import { failed, type UserProps, useDone } from './parts'
import { sessionListWords as words } from './words'

/** Where somebody is signed in, and the way to end it. */
export function SessionsDialog({ person, onClose }: UserProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.user.sessions.queryOptions({ id: person.id }))
  const [ending, setEnding] = useState<SessionView | 'all' | null>(null)
  return (
    <Drawer isOpen onClose={onClose} title={words.title(person.username)}>
      <div className="flex flex-col gap-3">
        <Loaded query={query} what={words.what} minHeight={160}>
          {(sessions) => (
            <>
              <Table
                bare
                label={words.title(person.username)}
                columns={columnsOf(setEnding)}
                rows={sessions}
                rowKey={({ id }) => id}
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
      {ending ? <EndDialog person={person} ending={ending} onClose={() => setEnding(null)} /> : null}
    </Drawer>
  )
}

function EndDialog({ person, ending, onClose }: UserProps & { readonly ending: SessionView | 'all' }) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const end = useMutation(trpc.user.endSessions.mutationOptions({ onSuccess: ({ ended }) => done(words.ended(ended)) }))
  const verb = ending === 'all' ? words.endAll : words.end
  const told = ending === 'all' ? words.endsAll(person.username) : words.ends(ending.address ?? words.unknown)
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={verb}
      verb={verb}
      danger
      needsReason
      consequences={<p className="m-0">{told}</p>}
      isPending={end.isPending}
      error={failed(end.error, verb)}
      onConfirm={(reason = '') => end.mutate({ id: person.id, session: ending === 'all' ? null : ending.id, reason })}
    />
  )
}

const head = words.columns

const columnsOf = (onEnd: (session: SessionView) => void): readonly Column<SessionView>[] => [
  {
    ...{ id: 'browser', head: head.browser, fixed: true, minWidth: 150 },
    value: ({ userAgent }) => browserText(userAgent) ?? words.unknown,
    cell: ({ userAgent, isThis }) => (
      <span className="flex items-baseline gap-2" title={userAgent ?? undefined}>
        {browserText(userAgent) ?? words.unknown}
        {isThis ? <Tag>{words.isThis}</Tag> : null}
      </span>
    ),
  },
  {
    ...{ id: 'address', head: head.address, width: 120 },
    value: (row) => row.address,
    cell: (row) => row.address ?? dash,
  },
  {
    ...{ id: 'since', head: head.since, width: 110, moment: true },
    value: (row) => row.createdAt,
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
  {
    ...{ id: 'expires', head: head.expires, width: 110, moment: true },
    value: (row) => row.expiresAt,
    cell: (row) => <RelativeTime at={row.expiresAt} />,
  },
  {
    ...{ id: 'actions', head: head.actions, width: 120, keep: true },
    cell: (row) => (
      <Button size="sm" onPress={() => onEnd(row)}>
        {words.end}
      </Button>
    ),
  },
]

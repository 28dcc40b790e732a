'use client'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { UserView } from '@/server/api/user/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button, IconButton } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Menu } from '../ui/overlay/Menu'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { AdminPanel } from './AdminPanel'
import type { UserAction } from './UserDialog'
import { grantsLabel, grantWords, roleWords, sessionListWords, userWords as words } from './words'

const UserDialog = lateOverlay(() => import('./UserDialog').then((code) => code.UserDialog))

/** Reserved while loading: two rows with their head, and the line about columns. */
const HEIGHT = 122

/** Users who may sign in. Only admins see it, because it has colleagues' addresses. */
export function UsersPanel({ isAdmin }: { isAdmin: boolean | undefined }) {
  const [action, setAction] = useState<UserAction | null>(null)
  return (
    <AdminPanel
      isAdmin={isAdmin}
      words={words}
      height={HEIGHT}
      onAdd={() => setAction({ kind: 'add' })}
      list={<People onAction={setAction} />}
    >
      {action ? <UserDialog action={action} onClose={() => setAction(null)} /> : null}
    </AdminPanel>
  )
}

function People({ onAction }: { onAction: (action: UserAction) => void }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.user.list.queryOptions())
  return (
    <Loaded query={query} what={words.what} minHeight={HEIGHT}>
      {(people) => (
        <Table
          frameless
          label={words.title}
          columns={columnsOf(onAction)}
          rows={people}
          empty={<EmptyState title={words.none} />}
        />
      )}
    </Loaded>
  )
}

const head = words.columns

const columnsOf = (onAction: (action: UserAction) => void): readonly Column<UserView>[] => [
  {
    ...{ id: 'username', head: head.username, fixed: true, minWidth: 110 },
    value: (row) => row.username,
  },
  {
    ...{ id: 'role', head: head.role, width: 90, secondLine: 'value' },
    value: (row) => roleWords[row.role].label,
  },
  {
    ...{ id: 'grants', head: head.grants, width: 190, secondLine: 'value' },
    value: (row) => grantsLabel(row.grants),
  },
  {
    ...{ id: 'by', head: head.by, width: 160, secondLine: 'named' },
    value: (row) => {
      const by = row.twoFactor ? words.passwordAndCode : words.by[row.signsInBy]
      return row.passkeys > 0 ? words.orPasskey(by) : by
    },
  },
  { ...{ id: 'name', head: head.name, minWidth: 110 }, value: (row) => row.name },
  { ...{ id: 'email', head: head.email, minWidth: 150 }, value: (row) => row.email },
  {
    ...{ id: 'since', head: head.since, width: 110, timestamp: true },
    value: (row) => row.createdAt,
  },
  {
    ...{ id: 'actions', head: head.actions, width: 232, keep: true },
    cell: (user) => (
      <span className="flex gap-1">
        <Button
          size="sm"
          disabledReason={user.signsInBy === 'password' ? null : words.roleByGroups(words.by[user.signsInBy])}
          onPress={() => onAction({ kind: 'role', user })}
        >
          {words.changeRole}
        </Button>
        <Button size="sm" onPress={() => onAction({ kind: 'sessions', user })}>
          {sessionListWords.open}
        </Button>
        <Menu
          label={words.menu(user.username)}
          trigger={
            <IconButton label={words.menu(user.username)}>
              <Ellipsis size={14} aria-hidden="true" />
            </IconButton>
          }
          entries={[
            ...(user.signsInBy === 'password'
              ? [{ id: 'grants', label: grantWords.change, onAction: () => onAction({ kind: 'grants', user }) }]
              : []),
            ...(user.signsInBy === 'password'
              ? [{ id: 'password', label: words.password, onAction: () => onAction({ kind: 'password', user }) }]
              : []),
            ...(user.twoFactor || user.passkeys > 0
              ? [{ id: 'twoFactor', label: words.resetCode, onAction: () => onAction({ kind: 'twoFactor', user }) }]
              : []),
            { id: 'remove', label: words.remove, onAction: () => onAction({ kind: 'remove', user }) },
          ]}
        />
      </span>
    ),
  },
]

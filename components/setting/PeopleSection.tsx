'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { UserView } from '@/server/api/user/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import type { PersonAction } from './PersonDialog'
import { roleWords, peopleWords as words } from './words'

const PersonDialog = dynamic(() => import('./PersonDialog').then((code) => code.PersonDialog), { loading: () => null })

/** Who may sign in. Admins alone see it: addresses of colleagues are nobody else's business. */
export function PeopleSection() {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  const isAdmin = session.data?.role === 'admin'
  const [action, setAction] = useState<PersonAction | null>(null)
  return (
    <div id="people" className="scroll-mt-2">
      <Panel
        title={words.title}
        flush
        aside={
          <Button
            size="sm"
            why={session.data && !isAdmin ? words.onlyAdmins : null}
            onPress={() => setAction({ kind: 'add' })}
          >
            {words.add}
          </Button>
        }
      >
        <p className="m-0 px-3 py-2 text-soft">{session.data && !isAdmin ? words.onlyAdmins : words.about}</p>
        {isAdmin ? <People onAction={setAction} /> : null}
        {action ? <PersonDialog action={action} onClose={() => setAction(null)} /> : null}
      </Panel>
    </div>
  )
}

function People({ onAction }: { onAction: (action: PersonAction) => void }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.user.list.queryOptions())
  return (
    <Loaded query={query} what={words.what} minHeight={80}>
      {(people) => (
        <Table
          bare
          frameless
          label={words.title}
          columns={columnsOf(onAction)}
          rows={people}
          rowKey={({ id }) => id}
          empty={<EmptyState title={words.none} />}
        />
      )}
    </Loaded>
  )
}

const head = words.columns

const columnsOf = (onAction: (action: PersonAction) => void): readonly Column<UserView>[] => [
  {
    ...{ id: 'username', head: head.username, fixed: true, minWidth: 110 },
    value: (row) => row.username,
  },
  {
    ...{ id: 'role', head: head.role, width: 90 },
    value: (row) => roleWords[row.role].label,
  },
  { ...{ id: 'name', head: head.name, minWidth: 110 }, value: (row) => row.name },
  { ...{ id: 'email', head: head.email, minWidth: 150 }, value: (row) => row.email },
  {
    ...{ id: 'since', head: head.since, width: 100, moment: true },
    value: (row) => row.createdAt,
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
  {
    ...{ id: 'actions', head: head.actions, width: 210, keep: true },
    cell: (person) => (
      <span className="flex gap-1">
        <Button size="sm" onPress={() => onAction({ kind: 'role', person })}>
          {words.changeRole}
        </Button>
        <Button size="sm" onPress={() => onAction({ kind: 'password', person })}>
          {words.password}
        </Button>
      </span>
    ),
  },
]

'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TokenView } from '@/server/api/token/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { AdminPanel } from './AdminPanel'
import { grantsLabel, roleWords, tokenBadges, tokenWords as words } from './words'

const AddTokenDialog = lateOverlay(() => import('./TokenDialog').then((code) => code.AddTokenDialog))
const RevokeDialog = lateOverlay(() => import('./TokenDialog').then((code) => code.RevokeDialog))

/** Reserved while loading: one row with its head. */
const HEIGHT = 58

/** API tokens, for admins. */
export function TokensPanel({ isAdmin }: { isAdmin: boolean | undefined }) {
  const [open, setOpen] = useState<'add' | TokenView | null>(null)
  const close = () => setOpen(null)
  return (
    <AdminPanel
      isAdmin={isAdmin}
      words={words}
      height={HEIGHT}
      onAdd={() => setOpen('add')}
      list={<Tokens onRevoke={setOpen} />}
    >
      {open === 'add' ? <AddTokenDialog onClose={close} /> : null}
      {open !== null && open !== 'add' ? <RevokeDialog token={open} onClose={close} /> : null}
    </AdminPanel>
  )
}

function Tokens({ onRevoke }: { onRevoke: (token: TokenView) => void }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.token.list.queryOptions())
  return (
    <Loaded query={query} what={words.what} minHeight={HEIGHT}>
      {(tokens) => (
        <Table
          frameless
          label={words.title}
          columns={columnsOf(onRevoke)}
          rows={tokens}
          empty={<EmptyState title={words.none} />}
        />
      )}
    </Loaded>
  )
}

const head = words.columns

const columnsOf = (onRevoke: (token: TokenView) => void): readonly Column<TokenView>[] => [
  { ...{ id: 'name', head: head.name, fixed: true, minWidth: 120 }, value: (row) => row.name },
  { ...{ id: 'role', head: head.role, width: 90 }, value: (row) => roleWords[row.role].label },
  {
    ...{ id: 'grants', head: head.grants, minWidth: 140, secondLine: 'value' },
    value: (row) => grantsLabel(row.grants),
  },
  { ...{ id: 'project', head: head.project, minWidth: 100 }, value: (row) => row.project || null },
  { ...{ id: 'account', head: head.account, minWidth: 100 }, value: (row) => row.account },
  {
    ...{ id: 'state', head: head.state, width: 100, secondLine: 'value' },
    badge: (row) => tokenBadges[row.state],
  },
  // Before the time of creation, which is left out first where not all fit.
  {
    ...{ id: 'expires', head: head.expires, width: 110, timestamp: true, secondLine: 'named' },
    value: (row) => row.expiresAt,
    cell: (row) => (row.expiresAt === null ? words.never : <RelativeTime at={row.expiresAt} />),
  },
  {
    ...{ id: 'created', head: head.created, width: 110, timestamp: true },
    value: (row) => row.createdAt,
  },
  {
    ...{ id: 'actions', head: head.actions, width: 120, keep: true },
    cell: (row) =>
      row.state === 'in-force' ? (
        <Button size="sm" onPress={() => onRevoke(row)}>
          {words.revoke}
        </Button>
      ) : null,
  },
]

'use client'
import { useQuery } from '@tanstack/react-query'
import type { Role } from '@/server/api/permit/roles'
import type { RightView } from '@/server/api/user/rights'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Glyph } from '../ui/Glyph'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { capabilityWords, rightScopeWords, roleWords, rightWords as words } from './words'

/** What each role may do, as the server enforces it. */
export function RightsPanel() {
  const trpc = useTRPC()
  const query = useQuery(trpc.user.rights.queryOptions())
  return (
    <Panel title={words.title} flush>
      <p className="m-0 px-3 py-2 text-soft">{words.about}</p>
      <Loaded query={query} what={words.what} minHeight={280}>
        {(rights) => (
          <Table
            frameless
            label={words.title}
            columns={columns}
            rows={rights}
            rowKey={({ capability }) => capability}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const ROLES = Object.keys(roleWords) as readonly Role[]

const columns: readonly Column<RightView>[] = [
  {
    ...{ id: 'may', head: words.may, fixed: true, wraps: true, minWidth: 220 },
    value: ({ capability }) => capabilityWords[capability],
  },
  {
    // On a phone replaces the role columns, which do not fit.
    ...{ id: 'from', head: words.from, width: 112, keep: true },
    value: ({ roles }) => ROLES.flatMap((role) => (roles.includes(role) ? [roleWords[role].label] : []))[0] ?? words.no,
  },
  {
    ...{ id: 'scope', head: words.scope, wraps: true, minWidth: 150 },
    value: ({ scope }) => rightScopeWords[scope],
  },
  ...ROLES.map(
    (role): Column<RightView> => ({
      ...{ id: role, head: roleWords[role].label, width: 84 },
      value: ({ roles }) => (roles.includes(role) ? words.yes : words.no),
      cell: ({ roles }) =>
        roles.includes(role) ? (
          <span className="flex items-center gap-1.5">
            <Glyph shape="tick" className="text-ok" />
            {words.yes}
          </span>
        ) : (
          <span className="text-faint">{words.no}</span>
        ),
    }),
  ),
]

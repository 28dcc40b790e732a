'use client'
import { type ReactNode, useMemo } from 'react'
import type { PlannedMigration } from '@/server/api/run/view'
import { claimTotalsText } from '../claim/amount/words'
import { claimedParts } from '../claim/claimed-parts'
import { paths } from '../console/paths'
import { hostContent, InstanceLink } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { reasonText } from './reason-text'
import { drainWords, methodWords, plannedBadges } from './words'

const words = drainWords.table

/** An instance of another host makes room, which a narrow name column would cut off. */
const methodText = ({ method, helper }: PlannedMigration): string | null =>
  uiWords.list([method && methodWords[method], helper ? words.helper : null]) || null

export const planColumns: readonly Column<PlannedMigration>[] = [
  { id: 'n', head: words.n, width: 56, align: 'end', value: (row) => row.n },
  { id: 'wave', head: words.wave, width: 72, align: 'end', value: (row) => row.wave },
  {
    id: 'guest',
    head: words.instance,
    fixed: true,
    width: 124,
    value: (row) => row.instance.name,
    exportId: (row) => row.instance.id,
    cell: (row) => <InstanceLink instance={row.instance} />,
  },
  {
    id: 'state',
    head: words.state,
    width: 104,
    keep: true,
    value: (row) => plannedBadges[row.state].label,
    cell: ({ state, migration }) =>
      migration === null ? (
        <StateBadge badge={plannedBadges[state]} />
      ) : (
        <TextLink href={paths.migration(migration)}>
          <StateBadge badge={plannedBadges[state]} />
        </TextLink>
      ),
  },
  {
    id: 'from',
    head: words.from,
    width: 95,
    ...hostContent((row: PlannedMigration) => row.from),
  },
  {
    id: 'to',
    head: words.to,
    width: 103,
    keep: true,
    exported: (row) => row.to?.name ?? words.nowhere,
    ...hostContent((row: PlannedMigration) => row.to, { none: words.nowhere }),
  },
  {
    id: 'method',
    head: words.method,
    width: 136,
    secondLine: 'value',
    value: methodText,
  },
  {
    id: 'after',
    head: words.after,
    width: 62,
    hidden: true, // shown by the reason
    value: (row) => uiWords.list(row.after),
    cell: (row) => uiWords.list(row.after) || dash,
  },
  {
    id: 'held',
    head: words.held,
    width: 165,
    hidden: true,
    value: (row) => claimTotalsText(row.held),
    parts: claimedParts(words.held, (row) => row.held),
  },
  {
    id: 'move',
    head: words.migration,
    width: 68,
    hidden: true, // linked from the state
    value: (row) => row.migration,
    cell: (row) =>
      row.migration ? <TextLink href={paths.migration(row.migration)}>{words.showMigration}</TextLink> : dash,
  },
  { id: 'why', head: words.why, minWidth: 400, wraps: true, secondLine: 'value', value: reasonText },
]

const rowKey = (row: PlannedMigration) => String(row.n)
const rowName = (row: PlannedMigration) => row.instance.name

/** Every instance with method, target, order and reason. `actions` are per row, if the user may control the run. */
export function PlanTable(props: {
  readonly migrations: readonly PlannedMigration[]
  readonly actions?: (migration: PlannedMigration) => ReactNode
}) {
  const { actions } = props
  const shown = useMemo(
    () =>
      actions
        ? [...planColumns, { id: 'actions', head: words.actions, width: 76, keep: true, cell: actions }]
        : planColumns,
    [actions],
  )
  return (
    <Table
      label={words.title}
      columns={shown}
      rows={props.migrations}
      rowKey={rowKey}
      rowName={rowName}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}

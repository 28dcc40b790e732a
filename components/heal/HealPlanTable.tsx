'use client'
import type { HealPlanRow } from '@/server/api/heal/view'
import { ListTable } from '../console/list/ListTable'
import { useWholeList, type WholeList } from '../console/list/list'
import { HealPlanLink } from '../console/refs'
import { findingWords } from '../finding/words'
import { dash } from '../ui/dash'
import type { Column } from '../ui/table/column'
import { healBadges, healWords as words } from './words'

const head = words.columns

const columns: readonly Column<HealPlanRow>[] = [
  {
    id: 'plan',
    head: head.plan,
    fixed: true,
    width: 120,
    value: (row) => row.id,
    cell: (row) => <HealPlanLink id={row.id} />,
  },
  {
    id: 'state',
    head: head.state,
    width: 160,
    badge: (row) => healBadges[row.state],
  },
  { id: 'parts', head: head.parts, width: 70, align: 'end', value: (row) => row.parts },
  {
    id: 'applied',
    head: head.applied,
    width: 80,
    align: 'end',
    value: (row) => row.applied,
  },
  {
    id: 'made',
    head: head.made,
    width: 110,
    secondLine: 'value',
    value: (row) => row.madeAt,
    timestamp: true,
  },
  { id: 'by', head: head.by, width: 130, secondLine: 'value', value: (row) => row.madeBy },
  {
    id: 'undoes',
    head: head.undoes,
    width: 110,
    value: (row) => row.undoOf,
    cell: (row) => (row.undoOf ? <HealPlanLink id={row.undoOf} /> : dash),
  },
  { id: 'reason', head: head.reason, minWidth: 160, secondLine: 'value', value: (row) => row.reason },
]

const label = words.filters

/** Filter keys and sort columns of repairs. */
const planList: WholeList<HealPlanRow> = {
  keys: [
    { id: 'state', label: label.state, values: Object.values(healBadges).map((badge) => badge.label) },
    { id: 'by', label: label.by },
    { id: 'undo', label: label.undo, values: ['yes', 'no'] },
    { id: 'reason', label: label.reason },
  ],
  fields: {
    state: (row) => [healBadges[row.state].label],
    by: (row) => [row.madeBy],
    undo: (row) => [row.undoOf === null ? 'no' : 'yes'],
    reason: (row) => [row.reason],
    text: (row) => [row.id, row.madeBy, row.reason],
  },
  sortColumns: ['plan', 'state', 'parts', 'applied', 'made', 'by', 'undoes', 'reason'],
}

export function HealPlanTable({ rows }: { rows: readonly HealPlanRow[] }) {
  const list = useWholeList(rows, planList)
  return <ListTable label={findingWords.repairs} columns={columns} list={list} words={words} />
}

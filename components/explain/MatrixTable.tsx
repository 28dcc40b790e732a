'use client'
import { useMemo } from 'react'
import type { ExplainHost, ExplainView } from '@/server/api/explain/router'
import type { RefusalKind } from '@/server/engine/words/refusal'
import { ListTable } from '../console/list/ListTable'
import { useWholeList, type WholeList } from '../console/list/list'
import { refusalTitles, shownVerdict, verdictBadges } from '../refusal/words'
import { EmptyState } from '../ui/Message'
import type { Question } from './address'
import type { NearestQuery } from './answer'
import { HOST_COLUMNS, ruleColumn } from './matrix-columns'
import { type MatrixRow, withFixes } from './nearest'
import { fixText, explainWords as words } from './words'

const label = words.filters
const RULES = Object.keys(refusalTitles)

/** Filter keys and sort columns of hosts in the matrix; each rule is its own column. */
const hostList: WholeList<MatrixRow> = {
  keys: [
    { id: 'host', label: label.host },
    { id: 'verdict', label: label.verdict, values: Object.keys(verdictBadges) },
    { id: 'rule', label: label.rule, values: RULES },
    { id: 'zone', label: label.zone },
    { id: 'holder', label: label.holder },
  ],
  fields: {
    host: ({ host }) => [host.name],
    verdict: (row) => [shownVerdict(row)],
    rule: ({ reasons }) => reasons.map(({ kind }) => kind),
    zone: ({ zone }) => [zone],
    holder: ({ reasons }) => reasons.flatMap(({ heldBy }) => heldBy.map(({ name }) => name)),
    text: (row) => [row.host.name, row.host.id, fixText(row.fix)],
  },
  sortColumns: ['host', 'verdict', 'changes', 'fix', 'zone', ...RULES],
}

const rowKey = (row: MatrixRow) => row.host.id
const NO_HOST_YET = <EmptyState title={words.noHostYet} />
const NO_FIX_YET = <EmptyState title={words.noHosts}>{words.noFixYet}</EmptyState>
const NO_HOST_LEFT = <EmptyState title={words.noHosts}>{words.noHostsMore}</EmptyState>
const rowName = (row: MatrixRow) => row.host.name

/** Hosts as rows, rules as columns: what is short, by how much, and who holds it. */
export function MatrixTable(props: {
  readonly view: ExplainView
  readonly hosts: readonly ExplainHost[]
  readonly nearest: NearestQuery
  readonly question: Question
}) {
  const { view, hosts, question } = props
  const { data, isError } = props.nearest
  const columns = useMemo(() => [...HOST_COLUMNS, ...rulesOf(hosts, view).map(ruleColumn)], [hosts, view])
  const rows = useMemo(() => withFixes(hosts, { data, isError }), [hosts, data, isError])
  const list = useWholeList(rows, hostList)
  return (
    <ListTable
      fill
      columns={columns}
      rowKey={rowKey}
      rowName={rowName}
      list={list}
      words={{ title: words.matrix, filter: words.filter }}
      question={`${list.filter.value} ${view.at}`}
      picked={question.host}
      onPick={(row) => question.set({ host: row.host.id })}
      beside={null}
      empty={hosts.length === 0 ? NO_HOST_YET : props.nearest.isPending ? NO_FIX_YET : NO_HOST_LEFT}
    />
  )
}

/** Rules by the number of refusing hosts, most first; ties in the funnel's order. */
function rulesOf(hosts: readonly ExplainHost[], { funnel }: ExplainView): readonly RefusalKind[] {
  const named = new Map<RefusalKind, number>(funnel.map(({ rule }) => [rule, 0]))
  for (const { reasons } of hosts) for (const { kind } of reasons) named.set(kind, (named.get(kind) ?? 0) + 1)
  const most = [...named].sort(([, a], [, b]) => b - a)
  return most.filter(([, times]) => times > 0).map(([kind]) => kind)
}

'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { AutoHealRule } from '@/server/api/finding/router'
import { Loaded } from '../../console/Failure'
import { useTRPC } from '../../console/trpc'
import { StateBadge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { dash } from '../../ui/dash'
import { lateOverlay } from '../../ui/overlay/LateOverlay'
import { Panel } from '../../ui/Panel'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { kindWords } from '../kind/words'
import { ruleWords as words } from './words'

const RuleDialog = lateOverlay(() => import('./RuleDialog').then((code) => code.RuleDialog))

const rowKey = (rule: AutoHealRule) => rule.kind
const rowName = (rule: AutoHealRule) => kindWords[rule.kind]

/** Kinds with automatic repair, their daily caps, and who enabled them. */
export function AutoHealRules() {
  const trpc = useTRPC()
  const rules = useQuery(trpc.finding.rules.queryOptions())
  const session = useQuery(trpc.session.me.queryOptions())
  const [asked, setAsked] = useState<AutoHealRule | null>(null)
  const why = session.data?.role === 'admin' ? null : words.onlyAdmin
  const columns = useMemo(() => columnsFor(why, setAsked), [why])
  return (
    <Panel title={words.title} flush>
      <p className="m-0 max-w-[90ch] px-3 py-2 text-sm text-soft">
        {words.intro}{' '}
        {rules.data ? (
          <strong className="text-ink">{words.onNow(onOf(rules.data).length, rules.data.length)}</strong>
        ) : null}
      </p>
      <Loaded query={rules} what={words.title}>
        {(rows) => (
          <Table
            frameless
            label={words.title}
            columns={columns}
            rows={onFirst(rows)}
            rowKey={rowKey}
            rowName={rowName}
          />
        )}
      </Loaded>
      {asked ? <RuleDialog rule={asked} onClose={() => setAsked(null)} /> : null}
    </Panel>
  )
}

const onOf = (rules: readonly AutoHealRule[]) => rules.filter(({ on }) => on)
/** Enabled rules first: automatic repairs are what readers check. */
const onFirst = (rules: readonly AutoHealRule[]) => [...onOf(rules), ...rules.filter(({ on }) => !on)]

function columnsFor(why: string | null, ask: (rule: AutoHealRule) => void): readonly Column<AutoHealRule>[] {
  const head = words.columns
  return [
    {
      id: 'kind',
      head: head.kind,
      width: 230,
      value: (row) => kindWords[row.kind],
    },
    {
      id: 'state',
      head: head.state,
      width: 90,
      secondLine: 'named',
      value: (row) => (row.on ? 1 : 0),
      cell: (row) => <StateBadge badge={row.on ? words.on : words.off} />,
    },
    {
      id: 'used',
      head: head.used,
      width: 90,
      align: 'end',
      value: (row) => row.usedToday,
      cell: (row) => (row.on ? words.used(row.usedToday, row.dailyCap) : dash),
    },
    { id: 'by', head: head.by, width: 130, value: (row) => row.by },
    {
      id: 'at',
      head: head.at,
      width: 110,
      value: (row) => row.at,
      timestamp: true,
    },
    {
      id: 'change',
      head: head.change,
      width: 112,
      keep: true,
      cell: (row) => (
        <Button
          size="sm"
          disabledReason={why}
          aria-label={words.changeOf(kindWords[row.kind])}
          onPress={() => ask(row)}
        >
          {words.change}
        </Button>
      ),
    },
  ]
}

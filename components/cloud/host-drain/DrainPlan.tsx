import type { CloudDrainPlanView } from '@/server/api/cloud/drain-router'
import type { BadgeContent } from '../../ui/Badge'
import { type Column, isLong } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { uiWords } from '../../ui/words'
import { cloudDrainMethods, cloudDrainWords as words } from './words'

interface PlanRow {
  readonly id: string
  readonly name: string
  readonly method: BadgeContent
  readonly host: string | null
  readonly batch: number | null
  /** Why it stays. */
  readonly why: string | null
}

const { columns: heads } = words

const COLUMNS: readonly Column<PlanRow>[] = [
  { id: 'instance', head: heads.instance, fixed: true, minWidth: 130, value: (row) => row.name },
  { id: 'method', head: heads.method, width: 84, keep: true, badge: (row) => row.method },
  { id: 'to', head: heads.to, minWidth: 120, secondLine: 'named', value: (row) => row.host },
  { id: 'batch', head: heads.batch, width: 70, align: 'end', value: (row) => row.batch },
]
const WHY: Column<PlanRow> = {
  ...{ id: 'why', head: heads.why, minWidth: 200, wraps: true, secondLine: 'value', value: (row) => row.why },
}

/** Planned migrations in order, preceded by the instances that stay. */
export function DrainPlan({ plan: { migrations, stays } }: { plan: CloudDrainPlanView }) {
  const batches = new Set(migrations.map(({ batch }) => batch)).size
  const rows = rowsOf({ migrations, stays })
  if (rows.length === 0) return <p className="m-0 text-sm text-soft">{words.none}</p>
  const summary = [
    ...(stays.length > 0 ? [words.stays(stays.length)] : []),
    ...(migrations.length > 0 ? [words.migrations(migrations.length, batches)] : []),
  ]
  const long = isLong(rows.length)
  return (
    <div className="flex flex-col gap-1">
      <p className="m-0 text-sm">{uiWords.list(summary)}</p>
      <div className={long ? 'flex h-80 flex-col' : undefined}>
        <Table
          bare
          fill={long}
          label={words.plan}
          columns={stays.length > 0 ? [...COLUMNS, WHY] : COLUMNS}
          rows={rows}
        />
      </div>
    </div>
  )
}

const rowsOf = ({ migrations, stays }: CloudDrainPlanView): readonly PlanRow[] => [
  ...stays.map(({ instance: id, name, why }) => ({
    ...{ id, name, why, method: cloudDrainMethods.stays, host: null, batch: null },
  })),
  ...migrations.map(({ instance: id, name, verb, host, batch }) => ({
    ...{ id, name, host, method: cloudDrainMethods[verb], batch: batch + 1, why: null },
  })),
]

import type { FunnelStep } from '@/server/engine/explain/funnel'
import { refusalTitles } from '../refusal/words'
import { count } from '../ui/format'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { explainWords as words } from './words'

const head = words.columns
const number = (id: 'asked' | 'refused' | 'left' | 'alone', width: number): Column<FunnelStep> => ({
  id,
  head: head[id],
  width,
  align: 'end',
  value: (step) => step[id],
  cell: (step) => count(step[id]),
  ...(id === 'alone' ? { help: words.aloneHelp } : {}),
})
const columns: readonly Column<FunnelStep>[] = [
  {
    id: 'rule',
    head: head.rule,
    value: (step) => refusalTitles[step.rule],
  },
  {
    id: 'part',
    head: head.part,
    width: 130,
    value: (step) => words.parts[step.part],
    cell: (step) => <span className="text-soft">{words.parts[step.part]}</span>,
  },
  number('asked', 74),
  number('refused', 66),
  number('left', 66),
  number('alone', 110),
]
const rowKey = (step: FunnelStep) => step.rule

/** The funnel with the number of hosts that each rule checked, refused and left. */
export const FunnelTable = ({ funnel }: { funnel: readonly FunnelStep[] }) => (
  <Table frameless label={words.funnel} columns={columns} rows={funnel} rowKey={rowKey} />
)

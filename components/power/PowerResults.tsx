'use client'
import type { PowerAction, PowerResult } from '@/server/api/power/contract'
import { InstanceLink } from '../console/refs'
import { amountsText, refusalTitles } from '../refusal/words'
import { StateBadge, type StateLook } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { powerActionWords, powerWords } from './words'

const words = powerWords.results

const looks = {
  taken: { shape: 'tick', tone: 'flow', label: words.taken },
  not: { shape: 'cross', tone: 'bad', label: words.not },
} as const satisfies Record<string, StateLook>

const lookOf = ({ refusal }: PowerResult) => looks[refusal === null ? 'taken' : 'not']
const whyOf = ({ refusal }: PowerResult) =>
  refusal === null ? null : uiWords.both(refusalTitles[refusal.kind], amountsText(refusal))

const columns: readonly Column<PowerResult>[] = [
  {
    id: 'instance',
    head: words.instance,
    width: 150,
    fixed: true,
    value: (row) => row.instance.name,
    cell: (row) => <InstanceLink instance={row.instance} />,
  },
  {
    id: 'result',
    head: words.result,
    width: 110,
    value: (row) => lookOf(row).label,
    cell: (row) => <StateBadge look={lookOf(row)} />,
  },
  {
    id: 'why',
    head: words.why,
    value: whyOf,
    cell: (row) => <span title={whyOf(row) ?? undefined}>{whyOf(row) ?? '–'}</span>,
  },
]

const rowKey = (row: PowerResult) => row.instance.id

/** Shown when some were refused: each with its reason. */
export function PowerResults(props: {
  readonly action: PowerAction
  readonly results: readonly PowerResult[]
  readonly onClose: () => void
}) {
  const { action, results, onClose } = props
  const not = results.filter(({ refusal }) => refusal !== null).length
  const title = words.title(powerActionWords[action].verb, results.length - not, not)
  return (
    <Dialog isOpen wide onClose={onClose} title={title} foot={<Button onPress={onClose}>{uiWords.close}</Button>}>
      <Table label={words.label} columns={columns} rows={results} rowKey={rowKey} />
    </Dialog>
  )
}

'use client'
import type { Ref } from '@/server/api/contract'
import type { MoveConsequences, WishResult } from '@/server/api/contract-moves'
import type { Wish } from '@/server/engine/migration/state'
import { paths } from '../console/paths'
import { amountsText, refusalTitles } from '../refusal/words'
import { StateBadge, type StateLook } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { migrationWords, wishWords } from './words'

const words = migrationWords.results

export interface WishRow extends Ref {
  /** Why it was not taken; null when it was. */
  readonly why: string | null
}

/** What came of each move: those that were not even sent, because they would not take it, are among them. */
export function resultRows(asked: MoveConsequences, results: readonly WishResult[]): readonly WishRow[] {
  const sent = results.map(({ id, acceptedAt, refusal }): WishRow => {
    const name = asked.permitted.find((move) => move.id === id)?.name ?? id
    if (acceptedAt !== null) return { id, name, why: null }
    return { id, name, why: refusal ? whyText(refusal) : words.noAnswer }
  })
  const all = [...sent, ...asked.refused.map(({ id, name, why }) => ({ id, name, why }))]
  return all.sort((a, b) => Number(a.why === null) - Number(b.why === null) || (a.name < b.name ? -1 : 1))
}

/** What was asked for is in the title already. */
function whyText(refusal: NonNullable<WishResult['refusal']>): string {
  const { kind, have } = refusal
  return uiWords.both(refusalTitles[kind], kind === 'not-permitted' && have ? have : amountsText(refusal))
}

const looks = {
  taken: { shape: 'tick', tone: 'flow', label: words.taken },
  not: { shape: 'cross', tone: 'bad', label: words.not },
} as const satisfies Record<string, StateLook>
const lookOf = ({ why }: WishRow) => looks[why === null ? 'taken' : 'not']

const columnsFor = (wish: Wish): readonly Column<WishRow>[] => [
  {
    id: 'move',
    head: words.move,
    width: 130,
    fixed: true,
    value: (row) => row.name,
    cell: (row) => <TextLink href={paths.migration(row.id)}>{row.name}</TextLink>,
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
    value: (row) => row.why,
    exported: (row) => row.why ?? words.takesEffect,
    cell: (row) => <span title={row.why ?? undefined}>{row.why ?? words.takesEffect}</span>,
  },
  {
    id: 'notChanged',
    head: uiWords.notChanged,
    width: 176,
    value: (row) => (row.why === null ? null : words.notChanged[wish]),
    cell: (row) => (row.why === null ? <span className="text-faint">–</span> : words.notChanged[wish]),
  },
]

const rowKey = (row: WishRow) => row.id

/** A list of what was not changed is worth stopping for; when all went, a message is enough. */
export function WishResults({ wish, rows, onClose }: { wish: Wish; rows: readonly WishRow[]; onClose: () => void }) {
  const not = rows.filter(({ why }) => why !== null).length
  const title = words.title(wishWords[wish].verb, rows.length - not, not)
  return (
    <Dialog isOpen wide onClose={onClose} title={title} foot={<Button onPress={onClose}>{uiWords.close}</Button>}>
      <p className="m-0 pb-2 text-soft">{words.each}</p>
      <Table label={words.table} columns={columnsFor(wish)} rows={rows} rowKey={rowKey} />
    </Dialog>
  )
}

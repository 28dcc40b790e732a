'use client'
import type { Ref } from '@/server/api/names/names'
import type { BadgeContent } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { dash } from '../../ui/dash'
import { TextLink } from '../../ui/Link'
import { Dialog } from '../../ui/overlay/Dialog'
import { showToast } from '../../ui/overlay/Toasts'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { uiWords } from '../../ui/words'

export interface BulkResult extends Ref {
  /** Why it was refused; null if it was accepted. */
  readonly reason: string | null
}

interface BulkResultsProps {
  readonly title: (accepted: number, refused: number) => string
  readonly results: readonly BulkResult[]
  readonly href: (id: string) => string
  readonly words: {
    readonly table: string
    readonly subject: string
    readonly result: string
    readonly why: string
    readonly taken: string
    readonly not: string
    readonly takesEffect: string
    readonly each: string
    readonly notChanged: string
  }
  readonly onClose: () => void
}

/** Results of a bulk action. Shown only if some were refused; if all were accepted, a message is enough. */
export function BulkResults({ title, results, href, words, onClose }: BulkResultsProps) {
  const refused = results.filter(({ reason }) => reason !== null).length
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={title(results.length - refused, refused)}
      foot={<Button onPress={onClose}>{uiWords.close}</Button>}
    >
      <p className="m-0 pb-2 text-soft">{words.each}</p>
      <Table label={words.table} columns={columnsFor(words, href)} rows={results} />
    </Dialog>
  )
}

const IN_TOAST = 3

/** The same in a toast, if the dialog was closed before the answer. */
export function showBulkResults({ title, results }: Pick<BulkResultsProps, 'title' | 'results'>): void {
  const refused = results.filter(({ reason }) => reason !== null)
  const detail = refused.slice(0, IN_TOAST).map(({ id, name, reason }) => (
    <div key={id}>
      {name}: {reason}
    </div>
  ))
  showToast('bad', title(results.length - refused.length, refused.length), { detail })
}

type Show = Pick<BulkResultsProps, 'words' | 'href'>

function columnsFor(words: Show['words'], href: Show['href']): readonly Column<BulkResult>[] {
  const badges = {
    taken: { shape: 'tick', tone: 'flow', label: words.taken },
    not: { shape: 'cross', tone: 'bad', label: words.not },
  } as const satisfies Record<string, BadgeContent>
  const badgeOf = ({ reason }: BulkResult) => badges[reason === null ? 'taken' : 'not']
  return [
    {
      id: 'subject',
      head: words.subject,
      width: 130,
      fixed: true,
      value: (row) => row.name,
      exportId: (row) => row.id,
      cell: (row) => <TextLink href={href(row.id)}>{row.name}</TextLink>,
    },
    {
      id: 'result',
      head: words.result,
      width: 110,
      badge: badgeOf,
    },
    {
      id: 'why',
      head: words.why,
      value: (row) => row.reason,
      exported: (row) => row.reason ?? words.takesEffect,
      cell: (row) => <span title={row.reason ?? undefined}>{row.reason ?? words.takesEffect}</span>,
    },
    {
      id: 'notChanged',
      head: uiWords.notChanged,
      width: 176,
      value: (row) => (row.reason === null ? null : words.notChanged),
      cell: (row) => (row.reason === null ? dash : words.notChanged),
    },
  ]
}

import { Columns3, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../Button'
import { Menu } from '../Menu'
import { uiWords } from '../words'
import type { Column } from './column'
import { csvOf, download } from './csv'

/** Above a table: the caller's filters, then how many rows, columns, export. */
export function Bar<Row>(props: {
  readonly label: string
  readonly filters?: ReactNode
  readonly columns: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  readonly onHidden: (hidden: ReadonlySet<string>) => void
  readonly rows: readonly Row[]
  readonly total: number | null
  readonly arrived: number
}) {
  const { columns, hidden, rows } = props
  const shown = columns.filter((column) => !hidden.has(column.id))
  const flip = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    props.onHidden(next)
  }
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 pb-2">
      {props.filters}
      <span className="ml-auto text-xs text-faint" role="status">
        {props.arrived > 0 ? `${uiWords.held(props.arrived)} · ` : ''}
        {props.total === null ? uiWords.loading : uiWords.rows(rows.length, props.total)}
      </span>
      <span className="flex">
        <Menu
          label={uiWords.columns}
          trigger={
            <IconButton label={uiWords.columns}>
              <Columns3 size={14} aria-hidden="true" />
            </IconButton>
          }
          entries={columns
            .filter((column) => !column.fixed)
            .map((column) => ({
              id: column.id,
              label: column.head,
              checked: !hidden.has(column.id),
              onAction: () => flip(column.id),
            }))}
        />
        <IconButton
          label={uiWords.exportRows}
          onPress={() => download(`${props.label.toLowerCase().replaceAll(' ', '-')}.csv`, csvOf(shown, rows))}
        >
          <Download size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  )
}

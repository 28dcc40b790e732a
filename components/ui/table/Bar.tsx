import { Columns3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../Button'
import { Menu } from '../overlay/Menu'
import { uiWords } from '../words'
import type { AllRows, Column } from './column'
import { Export } from './Export'

/** Above a table: the caller's filters, then row count, columns, export. */
export function Bar<Row>(props: {
  readonly label: string
  readonly filters?: ReactNode
  readonly columns: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  readonly onHidden: (hidden: ReadonlySet<string>) => void
  readonly rows: readonly Row[]
  readonly total: number | null
  /** The number of rows is unknown. */
  readonly failed?: boolean
  readonly allRows?: AllRows<Row>
  /** Rows waiting to be shown. */
  readonly arrived: ReactNode
}) {
  const { columns, hidden, rows } = props
  const shown = columns.filter((column) => !hidden.has(column.id))
  const flip = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    props.onHidden(next)
  }
  const counted = props.total === null ? uiWords.loading : uiWords.rows(props.total)
  const shownRows = props.failed ? uiWords.unknown : counted
  return (
    <div className="flex min-h-9 flex-wrap items-start gap-2 pb-2">
      {props.filters}
      {/* Wraps as a whole: icons alone on the next line belong to nothing. */}
      <span className="ml-auto flex items-start gap-2">
        <span className="flex h-7 items-center gap-3 text-xs text-faint" role="status">
          {props.arrived}
          {shownRows}
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
                label: column.name ?? column.head,
                checked: !hidden.has(column.id),
                onAction: () => flip(column.id),
              }))}
          />
          <Export label={props.label} columns={shown} rows={rows} total={props.total} allRows={props.allRows} />
        </span>
      </span>
    </div>
  )
}

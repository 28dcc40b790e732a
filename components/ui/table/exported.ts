import { uiWords } from '../words'
import type { ExportPart } from './column'

// Exported values of cells. A screen shows `2 h ago` and `4 / 12`; a spreadsheet sorts and sums these values.

/** A duration for a column whose `exportUnit` is seconds. Never negative: rows may be newer than the clock. */
export const wholeSeconds = (ms: number | null): number | null =>
  ms === null ? null : Math.max(0, Math.round(ms / 1000))

interface Share {
  readonly used: number
  readonly total: number
}

interface ShareColumn<Row> extends Pick<ExportPart<Row>, 'id' | 'head' | 'exportUnit'> {
  readonly of: (row: Row) => Share | null
  /** Heads of the two columns, if they are not held and total. */
  readonly heads?: { readonly used: string; readonly total: string }
}

/** Both numbers of a share, each in its own column; empty for something that does not exist. */
export function shareParts<Row>({ id, head, exportUnit, of, heads }: ShareColumn<Row>): readonly ExportPart<Row>[] {
  const named = heads ?? uiWords.exportedShare
  return (['used', 'total'] as const).map((key) => ({
    id: key === 'used' ? id : `${id}Total`,
    head: uiWords.named(head, named[key]),
    ...(exportUnit && { exportUnit }),
    value: (row) => {
      const share = of(row)
      return share === null || share.total === 0 ? null : share[key]
    },
  }))
}

import { verdictWords } from '../refusal/words'
import { Tag } from '../ui/Badge'
import { RowOpener } from '../ui/table/RowOpener'

interface VerdictHostProps {
  readonly row: { readonly host: { readonly name: string }; readonly isSource: boolean }
}

/** The host of a verdict, which opens the panel beside the list, and whether the instance is on it now. */
export function VerdictHost({ row }: VerdictHostProps) {
  return (
    <span className="flex items-center gap-1.5">
      <RowOpener>{row.host.name}</RowOpener>
      {row.isSource ? <Tag>{verdictWords.source}</Tag> : null}
    </span>
  )
}

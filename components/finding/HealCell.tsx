import type { FindingRow } from '@/server/api/finding/view'
import { Glyph } from '../ui/Glyph'
import { uiWords } from '../ui/words'
import { kindWords } from './kind/words'
import { PlanHealInRow } from './PlanHealButton'
import { findingWords as words } from './words'

/** Why no repair of it can be planned now; null if one can. */
export function healDisabledReason(row: FindingRow): string | null {
  if (row.closedAt !== null) return words.gone
  if (row.locked !== null) return row.locked
  return row.heal.ok ? null : row.heal.why
}

/** The cell's text, for export. */
export function healText(row: FindingRow): string {
  const why = healDisabledReason(row)
  if (why === null) return words.healable
  return row.locked === null ? why : uiWords.labelled(words.locked, why)
}

/** A link to the repair, or why there is none. */
export function HealCell({ row }: { row: FindingRow }) {
  const why = healDisabledReason(row)
  if (why === null) {
    const label = words.planFor(kindWords[row.kind], uiWords.list([row.instance?.name, row.host?.name]))
    return <PlanHealInRow finding={row.id} label={label} />
  }
  const short = row.closedAt !== null ? words.gone : row.locked !== null ? words.locked : words.noHeal
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-soft">
      <Glyph shape={row.locked === null ? 'dash' : 'pause'} className="text-faint" />
      <span className="truncate" title={healText(row)}>
        {short}
      </span>
    </span>
  )
}

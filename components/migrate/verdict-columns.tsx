import type { VerdictSummary } from '@/server/api/explain/verdicts'
import { amountsText, placeText, refusalTitles, shownVerdict, silenceText, verdictBadges } from '../refusal/words'
import { dash } from '../ui/dash'
import { count, gib, mib } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import type { Column } from '../ui/table/column'
import { toneText } from '../ui/tone'
import { VerdictHost } from './VerdictHost'
import { migrateWords as words } from './words'

/** For a host that fits, its ranking; otherwise the first rule in short and how many more: the panel has the rest. */
function whyText({ reasons, silence, standing }: Pick<VerdictSummary, 'reasons' | 'silence' | 'standing'>): string {
  if (silence) return silenceText(silence)
  const [first] = reasons
  if (!first) return standing ? words.standing(standing) : ''
  // Amounts before the location: a narrow column cuts the end.
  const parts = [refusalTitles[first.kind], amountsText(first), placeText(first.where)]
  const cases = reasons.reduce((sum, { times }) => sum + times, 0)
  return words.why(parts, cases - 1)
}

/** The role that does not apply there, or the rules that are listed beside it. */
export function refusalText({ verdict, reasons: [first] }: VerdictSummary): string | null {
  if (verdict !== 'refused') return null
  return first?.kind === 'not-permitted' && first.have ? words.notThere(first.have) : words.notOk
}

type FreeColumnId = 'vcpus' | 'pinnedCpus' | 'memoryMib' | 'diskGib' | 'devices'

const shown: { readonly [K in FreeColumnId]: (free: number) => string } = {
  ...{ vcpus: count, pinnedCpus: count, memoryMib: mib, diskGib: gib, devices: count },
}

/** Shown by default if the instance needs it and the table has space: its CPUs and its memory. */
function freeColumn(id: FreeColumnId, hidden: boolean): Column<VerdictSummary> {
  return {
    ...{ id, head: words.columns[id], width: 76, align: 'end', hidden },
    ...(id === 'devices' ? { help: words.devicesHelp } : {}),
    value: ({ free }) => free[id],
    cell: ({ free }) => {
      const amount = free[id]
      return amount === null ? dash : shown[id](amount)
    },
  }
}

/** A phone has no space for a verdict column. */
function VerdictOnPhone({ of }: { of: VerdictSummary }) {
  const { shape, tone, label } = verdictBadges[shownVerdict(of)]
  return (
    <span className="sm:hidden">
      <Glyph shape={shape} className={toneText[tone]} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

const FIRST: readonly Column<VerdictSummary>[] = [
  {
    id: 'rank',
    head: words.columns.rank,
    width: 54,
    align: 'end',
    value: (row) => row.rank,
  },
  {
    id: 'host',
    head: words.columns.host,
    width: 140,
    fixed: true,
    value: (row) => row.host.name,
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        <VerdictOnPhone of={row} />
        <VerdictHost row={row} />
      </span>
    ),
  },
  { id: 'zone', head: words.columns.zone, width: 60, value: (row) => row.zone },
  {
    id: 'verdict',
    head: words.columns.verdict,
    width: 84,
    value: shownVerdict,
    badge: (row) => verdictBadges[shownVerdict(row)],
  },
]

const WHY: Column<VerdictSummary> = {
  id: 'why',
  head: words.columns.why,
  minWidth: 240,
  keep: true,
  value: whyText,
  cell: (row) => (
    <span className="text-soft" title={whyText(row)}>
      {whyText(row)}
    </span>
  ),
}

function columnsFor(pinned: boolean): readonly Column<VerdictSummary>[] {
  return [
    ...FIRST,
    freeColumn('vcpus', pinned),
    freeColumn('pinnedCpus', !pinned),
    freeColumn('memoryMib', false),
    freeColumn('diskGib', true),
    freeColumn('devices', true),
    WHY,
  ]
}
/** By the kind of CPUs that the instance needs. */
export const VERDICT_COLUMNS = { pinned: columnsFor(true), floating: columnsFor(false) }

'use client'
import { useQuery } from '@tanstack/react-query'
import { HOST_QUICK_FILTERS, type HostQuickFilter } from '@/lists/host'
import { useTRPC } from '../console/trpc'
import { cx } from '../ui/cx'
import { dash } from '../ui/dash'
import { formatFilter, formatTerm, parseFilter, type Term } from '../ui/filter/grammar'
import { count } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { toneText } from '../ui/tone'
import { HOST_REFETCH_MS } from './refetch-interval'
import { quickBadges, hostWords as words } from './words'

// The counts over the list are filters in its own grammar: a click adds one count's terms to the typed text in place of
// any other count's; a second click removes them.

const QUICK_FILTERS = Object.keys(HOST_QUICK_FILTERS) as readonly HostQuickFilter[]

const termsOf = (quick: HostQuickFilter): readonly Term[] =>
  HOST_QUICK_FILTERS[quick].map((term) => ({ key: term.key, values: term.any, not: 'not' in term }))

const OURS = new Set(QUICK_FILTERS.flatMap((quick) => termsOf(quick).map(formatTerm)))
const isOurs = (term: Term) => OURS.has(formatTerm(term))

/** The quick filter that the text contains, with no terms of another. */
export function quickFilterIn(text: string): HostQuickFilter | null {
  const own = formatFilter(parseFilter(text).filter(isOurs))
  return QUICK_FILTERS.find((quick) => formatFilter(termsOf(quick)) === own) ?? null
}

/** The text with this quick filter and no other; without any for `null`. */
export function withQuickFilter(text: string, quick: HostQuickFilter | null): string {
  const others = parseFilter(text).filter((term) => !isOurs(term))
  return formatFilter([...others, ...(quick ? termsOf(quick) : [])])
}

/** How many hosts are up, unreachable, disabled …: each count is the filter that lists them. */
export function HostCounts({ filter, onFilter }: { filter: string; onFilter: (text: string) => void }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.host.counts.queryOptions(undefined, { refetchInterval: HOST_REFETCH_MS }))
  const chosen = quickFilterIn(filter)
  const set = (quick: HostQuickFilter | null) => onFilter(withQuickFilter(filter, quick))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is drawn otherwise by every browser
    <div role="group" aria-label={words.quickLabel} className="flex min-h-7 flex-wrap gap-1.5 pb-2">
      <Quick filter="all" n={data?.all} pressed={chosen === null} onPress={() => set(null)} />
      {QUICK_FILTERS.map((quick) => (
        <Quick
          key={quick}
          filter={quick}
          n={data?.[quick]}
          pressed={chosen === quick}
          onPress={() => set(chosen === quick ? null : quick)}
        />
      ))}
    </div>
  )
}

interface QuickProps {
  readonly filter: HostQuickFilter | 'all'
  /** Undefined until known. */
  readonly n: number | undefined
  readonly pressed: boolean
  readonly onPress: () => void
}

function Quick({ filter, n, pressed, onPress }: QuickProps) {
  const badge = quickBadges[filter]
  const none = n === 0
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cx(
        'inline-flex h-7 cursor-default items-center gap-1.5 rounded-md border px-2 text-xs whitespace-nowrap hover:bg-hover',
        pressed ? 'border-accent bg-accent-wash text-ink' : 'border-line bg-surface',
        !pressed && (none ? 'text-faint' : 'text-ink'),
      )}
    >
      <Glyph shape={badge.shape} className={none ? 'text-faint' : toneText[badge.tone]} />
      {/* Wide enough for two digits from the start, or the buttons move when the counts arrive. */}
      <span className="min-w-[2ch] text-end font-semibold">{n === undefined ? dash : count(n)}</span>
      {badge.label}
    </button>
  )
}

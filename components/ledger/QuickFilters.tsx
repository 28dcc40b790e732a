'use client'
import { useQuery } from '@tanstack/react-query'
import { RECOUNT_MS } from '../console/list/recount'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { cx } from '../ui/cx'
import { onlyValue, withOnly } from '../ui/filter/terms'
import { ButtonLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { ledgerWords as words } from './words'

type Quick = keyof typeof words.quickOf

/** The filter term of each. */
const TERMS = {
  orphaned: { key: 'marks', value: 'no-claim' },
  findings: { key: 'marks', value: '*' },
  migrations: { key: 'kind', value: 'migration' },
  other: { key: 'kind', value: 'other' },
} as const satisfies Readonly<Record<Quick, { readonly key: 'marks' | 'kind'; readonly value: string }>>

/** Undefined while unknown, and for the past, which is not counted. */
function useTotal(quick: Quick, at: number | undefined): number | undefined {
  const trpc = useTRPC()
  const counts = trpc.ledger.counts.queryOptions(undefined, { enabled: at === undefined, refetchInterval: RECOUNT_MS })
  const { data } = useQuery(counts)
  return at === undefined ? data?.[quick] : undefined
}

interface QuickFiltersProps {
  readonly at: number | undefined
  readonly filter: { readonly value: string; readonly onChange: (text: string) => void }
}

/** The most common filters, each with its row count; a second press clears it. */
export function QuickFilters(props: QuickFiltersProps) {
  return (
    <fieldset aria-label={words.quick} className="m-0 flex flex-wrap gap-1 border-0 p-0">
      {(Object.keys(TERMS) as Quick[]).map((quick) => (
        <QuickFilter key={quick} quick={quick} {...props} />
      ))}
    </fieldset>
  )
}

function QuickFilter({ quick, at, filter }: QuickFiltersProps & { quick: Quick }) {
  const total = useTotal(quick, at)
  const { key, value } = TERMS[quick]
  const { label, help } = words.quickOf[quick]
  const isOn = onlyValue(filter.value, key) === value
  return (
    <button
      type="button"
      title={help}
      aria-pressed={isOn}
      onClick={() => filter.onChange(withOnly(filter.value, key, isOn ? null : value))}
      className={cx(
        'inline-flex h-7 cursor-default items-center gap-1.5 rounded-md border px-2 text-xs whitespace-nowrap',
        isOn ? 'border-accent bg-accent-wash text-ink' : 'border-line bg-surface text-soft hover:text-ink',
      )}
    >
      {total === undefined ? label : words.quickCount(label, total)}
    </button>
  )
}

/** Above the list: claims that hold capacity but serve no consumer. */
export function Orphans({ at, filter }: QuickFiltersProps) {
  const total = useTotal('orphaned', at)
  if (!total || onlyValue(filter.value, 'marks') === TERMS.orphaned.value) return null
  return (
    <div className="pb-3">
      <Note tone="bad" shape="cross">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <strong className="font-medium">{words.orphans(total)}</strong>
            {': '}
            {words.orphansMore}
          </span>
          <Button
            size="sm"
            onPress={() => filter.onChange(withOnly(filter.value, TERMS.orphaned.key, TERMS.orphaned.value))}
          >
            {words.showOrphans}
          </Button>
          <ButtonLink href={paths.heal()}>{words.review}</ButtonLink>
        </span>
      </Note>
    </div>
  )
}

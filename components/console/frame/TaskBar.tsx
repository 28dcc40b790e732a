'use client'
import { useQuery } from '@tanstack/react-query'
import type { MigrationRow } from '@/server/api/migration/view'
import { flightWords, operationWords, stepBadges } from '../../step/words'
import { bytes } from '../../ui/format'
import { Glyph, type Shape } from '../../ui/Glyph'
import { PlainLink, TextLink } from '../../ui/Link'
import { useNow } from '../../ui/time/Clock'
import { toneText } from '../../ui/tone'
import { RECOUNT_MS } from '../list/recount'
import { paths } from '../paths'
import { useFailedSince } from '../recent-failures'
import { useTRPC } from '../trpc'
import { consoleWords } from '../words'

const words = consoleWords.migrations
const SHOWN = 12

/** A one-line bar below every page with the migrations in flight. */
export function TaskBar() {
  const trpc = useTRPC()
  const counts = useQuery(trpc.migration.counts.queryOptions(undefined, { refetchInterval: RECOUNT_MS }))
  const migrations = useQuery(
    trpc.migration.list.queryOptions({ view: 'flight', sort: 'started', dir: 'desc', limit: SHOWN }),
  )
  const rows = migrations.data?.rows ?? []
  const { flight = 0, waiting = 0, overdue = 0, notConverging = 0 } = counts.data ?? {}
  const failed = useFailedSince()
  return (
    <section
      aria-label={words.label}
      className="flex h-8 min-w-0 items-center gap-4 overflow-hidden border-t print:hidden border-line bg-surface px-4 text-xs max-md:gap-3 max-md:px-3"
    >
      <TextLink href={paths.migrations({ view: 'flight' })} className="shrink-0">
        {counts.data === undefined
          ? counts.error
            ? words.unknown
            : words.asking
          : flight === 0
            ? words.none
            : words.flight(flight)}
      </TextLink>
      {waiting > 0 ? (
        <TextLink href={paths.migrations({ view: 'waiting' })} className="shrink-0">
          {words.waiting(waiting)}
        </TextLink>
      ) : null}
      <Alarm
        shape="half"
        n={notConverging}
        text={words.notConverging}
        at={{ view: 'flight', q: 'state:not-converging' }}
      />
      <Alarm shape="triangle" n={overdue} text={words.overdue} at={{ view: 'overdue' }} />
      {failed.count > 0 ? (
        <PlainLink
          href={paths.migrations({ view: 'history', q: 'outcome:failed' })}
          onFollow={failed.markViewed}
          className="flex shrink-0 items-center gap-1.5 rounded-sm text-bad hover:underline"
        >
          <Glyph shape="cross" />
          <Count n={failed.count} text={words.failed(failed.count, failed.capped)} />
        </PlainLink>
      ) : null}
      <ul className="m-0 flex min-w-0 flex-1 list-none gap-4 overflow-hidden p-0 max-md:hidden">
        {rows.map((row) => (
          <li key={row.id} className="shrink-0">
            <Task row={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Not stopped, but an operator should check them. */
function Alarm(props: {
  /** Without space for words, only the shape distinguishes them. */
  readonly shape: Shape
  readonly n: number
  readonly text: (n: number) => string
  readonly at: Parameters<typeof paths.migrations>[0]
}) {
  if (props.n === 0) return null
  return (
    <PlainLink
      href={paths.migrations(props.at)}
      className="flex shrink-0 items-center gap-1.5 rounded-sm text-warn hover:underline"
    >
      <Glyph shape={props.shape} />
      <Count n={props.n} text={props.text(props.n)} />
    </PlainLink>
  )
}

/** On a phone shows mark and number; the words stay for screen readers. */
const Count = ({ n, text }: { n: number; text: string }) => (
  <>
    <span className="max-md:sr-only">{text}</span>
    <span aria-hidden="true" className="md:hidden">
      {n}
    </span>
  </>
)

function Task({ row }: { row: MigrationRow }) {
  const badge = stepBadges[row.step]
  const now = useNow()
  const mark = row.notConverging
    ? flightWords.notConverging
    : row.overdueAt !== null && row.overdueAt < now
      ? words.overdueMark
      : null
  return (
    <PlainLink
      href={paths.migration(row.id)}
      className="flex items-center gap-1.5 rounded-sm text-soft hover:text-ink"
      aria-label={words.task(operationWords[row.operation].noun, row.instance.name, badge.label, mark)}
    >
      <Glyph shape={badge.shape} className={toneText[badge.tone]} />
      <span className="text-ink">{row.instance.name}</span>
      <span>{badge.label}</span>
      {mark ? <span className="text-warn">{mark}</span> : null}
      {row.step === 'transfer' && row.progress ? <span>{words.left(bytes(row.progress.remainingBytes))}</span> : null}
    </PlainLink>
  )
}

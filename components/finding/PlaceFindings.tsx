'use client'
import { useQuery } from '@tanstack/react-query'
import { FINDING_LIST } from '@/lists/finding'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useText } from '../console/url'
import { StateBadge } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { RelativeTime } from '../ui/time/Clock'
import { detailWords } from './detail/words'
import { FindingDrawer } from './FindingDrawer'
import { FindingOpener } from './FindingOpener'
import { healDisabledReason } from './HealCell'
import { severityBadges } from './kind/words'
import { PlanHealButton } from './PlanHealButton'
import { findingWords as words } from './words'

const LIMIT = 20

/** Present and past findings about the place of the host that the address names. */
export function PlaceFindings({ host }: { host: string }) {
  const [unit] = useText('unit')
  return unit === null ? null : <OfPlace host={host} unit={unit} />
}

function OfPlace({ host, unit }: { host: string; unit: string }) {
  const trpc = useTRPC()
  const open = useQuery(trpc.finding.list.queryOptions({ host, unit, limit: LIMIT }))
  const past = useQuery(trpc.finding.list.queryOptions({ host, unit, closed: true, limit: LIMIT }))
  const rows = open.data?.rows ?? []
  const healable = rows.filter((row) => healDisabledReason(row) === null)
  const [first] = rows
  return (
    <section aria-label={words.title} className="flex flex-col gap-2 border-t border-line pt-2">
      <h2 className="m-0 text-xs font-medium text-soft">{detailWords.place.title(unit)}</h2>
      {open.data && rows.length === 0 ? <p className="m-0 text-xs text-soft">{detailWords.place.none}</p> : null}
      <ul className="m-0 flex list-none flex-col gap-1.5 p-0 text-xs">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-col rounded-md bg-bad-wash p-2">
            <span className="flex items-center justify-between gap-2">
              <FindingOpener finding={row} />
              <StateBadge badge={severityBadges[row.severity]} className="text-xs" />
            </span>
            <span className="break-words">{row.found}</span>
            <span className="text-soft">
              {FINDING_LIST.columns.first.head} <RelativeTime at={row.firstSeenAt} />
              {healDisabledReason(row) ? '. ' : null}
              {healDisabledReason(row)}
            </span>
          </li>
        ))}
      </ul>
      {first ? (
        <div className="flex flex-wrap items-center gap-2">
          <PlanHealButton
            findings={healable.map((row) => row.id)}
            disabledReason={healable.length === 0 ? healDisabledReason(first) : null}
            label={words.plan}
          />
          <TextLink href={paths.runbook(first.kind)} className="text-xs">
            {words.runbook}
          </TextLink>
        </div>
      ) : null}
      <History rows={past.data?.rows ?? []} />
      <FindingDrawer />
    </section>
  )
}

function History({ rows }: { rows: readonly Parameters<typeof healDisabledReason>[0][] }) {
  if (rows.length === 0) return null
  return (
    <div className="text-xs text-soft">
      <h3 className="m-0 font-medium">{detailWords.place.history}</h3>
      <ul className="m-0 flex list-none flex-col p-0">
        {rows.map((row) => (
          <li key={row.id} className="flex min-h-6 items-center justify-between gap-2">
            <FindingOpener finding={row} />
            <span>
              {detailWords.place.until} {row.closedAt === null ? '–' : <RelativeTime at={row.closedAt} />}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

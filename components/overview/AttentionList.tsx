import type { AttentionItem, AttentionKind } from '@/server/api/overview/attention'
import type { FindingKind } from '@/server/engine/audit/finding'
import { paths } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { kindWords } from '../finding/words'
import { hostWaitText, stepLooks } from '../step/words'
import { StateBadge, Tag } from '../ui/Badge'
import { cx } from '../ui/cx'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { attentionLooks, checkWords, overviewWords as words } from './words'

const keyOf = (item: AttentionItem) =>
  [item.kind, item.check, item.host?.id, item.instance?.id, item.migration, item.since].join(' ')

/** What a person should look at, worst first, each with the way to it. */
export function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return <EmptyState title={words.calm}>{words.calmMore}</EmptyState>
  return (
    <ul className="m-0 max-h-96 list-none overflow-auto p-0 text-sm">
      {items.map((item) => (
        <li key={keyOf(item)} className="flex min-h-8 items-center gap-3 border-b border-line/60 px-3 last:border-0">
          <StateBadge look={attentionLooks[item.kind]} className="min-w-40 shrink-0" />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 py-1.5">
            <Subject item={item} />
            {(item.instance || item.finding) && item.host ? <HostLink host={item.host} /> : null}
            <Count item={item} />
            {/* A finding says what it is by its kind. */}
            {item.finding ? null : (
              <span className={cx('text-soft', !item.check && !SHORT.has(item.kind) && 'truncate')} title={whyOf(item)}>
                {whyOf(item)}
              </span>
            )}
          </span>
          {item.since === null ? null : (
            <span className="shrink-0 text-xs text-faint">
              <RelativeTime at={item.since} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Of these the guests are counted. */
const OF_HOSTS: ReadonlySet<AttentionKind> = new Set(['host-silent', 'host-down'])
/** Their sentence is short and ours, so it is shown whole. */
const SHORT: ReadonlySet<AttentionKind> = new Set(['guests-off', 'host-never-answered', 'not-converging', 'overdue'])
const MOVES_AT: Readonly<Partial<Record<AttentionKind, Parameters<typeof paths.migrations>[0]>>> = {
  'waits-for-host': { view: 'waiting' },
  'waits-for-person': { view: 'waiting' },
  retrying: { view: 'waiting' },
  parked: { view: 'waiting' },
  failed: { view: 'history' },
  overdue: { view: 'overdue' },
  'not-converging': { view: 'flight', q: 'state:not-converging' },
}

function Count({ item: { kind, count } }: { item: AttentionItem }) {
  if (kind === 'host-never-answered') {
    const at = paths.hosts({ q: 'state:never-answered' })
    return count > 1 ? <TextLink href={at}>{words.hostCount(count)}</TextLink> : null
  }
  if (OF_HOSTS.has(kind)) return count > 0 ? <span className="shrink-0">{words.guests(count)}</span> : null
  if (count <= 1 || kind === 'guests-off') return null
  const at = MOVES_AT[kind]
  return at ? <TextLink href={paths.migrations(at)}>{words.moveCount(count)}</TextLink> : <Tag>{count}</Tag>
}

function whyOf({ kind, host, why, step, count }: AttentionItem): string | undefined {
  if (kind === 'host-never-answered') return words.neverAnswered
  if (kind === 'guests-off') return words.guestsOff(count)
  if (kind === 'not-converging') return words.notConverging
  if (kind === 'overdue') return step && words.overdueIn(stepLooks[step].label)
  return why && host && kind === 'waits-for-host' ? hostWaitText(host, why) : (why ?? undefined)
}

/** Findings of one kind are read, and healed, on one page; the guest or host is named when there is one only. */
function Found({ item, kind }: { item: AttentionItem; kind: FindingKind }) {
  return (
    <>
      <TextLink href={paths.heal({ kind })} className="whitespace-normal!">
        {kindWords[kind]}
      </TextLink>
      {item.instance ? <InstanceLink instance={item.instance} /> : null}
    </>
  )
}

function Subject({ item }: { item: AttentionItem }) {
  if (item.check) return <span className="shrink-0 font-medium">{checkWords[item.check]}</span>
  if (item.finding) return <Found item={item} kind={item.finding} />
  if (item.migration && item.instance) {
    return (
      <TextLink href={paths.migration(item.migration)} className="shrink-0">
        {item.instance.name}
      </TextLink>
    )
  }
  if (item.instance) {
    return (
      <TextLink href={paths.instance(item.instance.id)} className="shrink-0">
        {item.instance.name}
      </TextLink>
    )
  }
  return item.host ? <HostLink host={item.host} /> : null
}

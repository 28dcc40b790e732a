import type { AttentionItem, AttentionKind } from '@/server/api/overview/attention'
import { paths } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { kindWords } from '../finding/kind/words'
import { hostWaitText, stepBadges } from '../step/words'
import { StateBadge, Tag } from '../ui/Badge'
import { ButtonLink, TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { countsHosts, listOf, stepFor } from './health'
import { attentionActions, attentionBadge, checkWords, overviewWords as words } from './words'

const keyOf = (item: AttentionItem) =>
  [item.kind, item.finding, item.check, item.cloud?.id, item.host?.id, item.instance?.id, item.migration].join(' ')

/** Items that need attention, most urgent first, each with its next action. */
export function AttentionPanel({ items }: { items: readonly AttentionItem[] }) {
  return (
    <div id="attention">
      <Panel title={words.attention} aside={items.length > 0 ? <Tag tone="warn">{items.length}</Tag> : null} flush>
        <AttentionList items={items} />
      </Panel>
    </div>
  )
}

function AttentionList({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return <EmptyState title={words.calm}>{words.calmMore}</EmptyState>
  return (
    <ul className="m-0 list-none p-0 text-sm">
      {items.map((item) => (
        <li
          key={keyOf(item)}
          className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line/60 px-3 py-1 last:border-0 sm:grid-cols-[11.5rem_minmax(0,1fr)_auto]"
        >
          <StateBadge badge={attentionBadge(item)} className="max-sm:col-span-2" />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <Subject item={item} />
            <Why item={item} />
            {item.since === null ? null : (
              <span className="text-xs whitespace-nowrap text-faint">
                <RelativeTime at={item.since} />
              </span>
            )}
          </span>
          <Step item={item} />
        </li>
      ))}
    </ul>
  )
}

function Step({ item }: { item: AttentionItem }) {
  const step = stepFor(item)
  if (!step) return null
  return (
    <ButtonLink size="sm" href={step.href}>
      {attentionActions[step.action]}
    </ButtonLink>
  )
}

function Subject({ item }: { item: AttentionItem }) {
  const { kind, check, cloud, finding, migration, instance, host, count, more = false } = item
  if (check) return <span className="font-medium">{checkWords[check]}</span>
  if (cloud) return <TextLink href={paths.cloud(cloud.id)}>{cloud.name}</TextLink>
  if (finding) {
    return (
      <>
        <TextLink href={paths.heal({ kind: finding })} className="whitespace-normal!">
          {kindWords[finding]}
        </TextLink>
        {instance ? <InstanceLink instance={instance} /> : null}
        {host ? <HostLink host={host} /> : null}
        {count > 1 ? <Tag>{count}</Tag> : null}
      </>
    )
  }
  if (migration && instance) {
    return (
      <>
        <TextLink href={paths.migration(migration)}>{instance.name}</TextLink>
        {host ? <HostLink host={host} /> : null}
      </>
    )
  }
  if (!host) return <TextLink href={listOf[kind]}>{listText(kind, count, more)}</TextLink>
  return (
    <>
      <HostLink host={host} />
      {kind === 'waits-for-host' ? <TextLink href={listOf[kind]}>{words.migrationCount(count, more)}</TextLink> : null}
    </>
  )
}

function listText(kind: AttentionKind, count: number, more: boolean): string {
  if (kind === 'guests-off') return words.instancesOff(count)
  if (kind === 'approval') return words.requests(count)
  return countsHosts(kind) ? words.hostCount(count) : words.migrationCount(count, more)
}

/** Why it is listed, in the console's own words if there are any. A finding is described by its kind. */
function Why({ item }: { item: AttentionItem }) {
  const text = whyOf(item)
  return text ? <span className="min-w-0 text-soft">{text}</span> : null
}

function whyOf({ kind, host, why, step, count, finding, answers }: AttentionItem): string | null {
  if (finding) return null
  if (kind === 'cloud-finding') return words.cloudFindings(count)
  if (kind === 'host-never-answered') return words.neverAnswered
  if (kind === 'guests-off') return host && words.instancesOff(count)
  if (kind === 'not-converging') return words.notConverging
  if (kind === 'overdue') return step ? words.overdueIn(stepBadges[step].label) : null
  if (kind === 'waits-for-host') return why && host ? hostWaitText(host, why) : null
  if (kind === 'host-down' || kind === 'to-evacuate' || kind === 'host-silent') {
    const text = words.downWith(words.instances(count), why)
    return host && (answers ? words.answersAllTheSame(text) : text)
  }
  return why
}

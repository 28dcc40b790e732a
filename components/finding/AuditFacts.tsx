import type { ReactNode } from 'react'
import type { AuditStatus } from '@/server/api/finding/status'
import type { Ref } from '@/server/api/names/names'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { count, duration } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { kindWords, severityBadges } from './kind/words'
import { UncheckedParts } from './UncheckedParts'
import { findingWords } from './words'

const words = findingWords.audit
const SEVERITY_ORDER = { critical: 0, warning: 1, info: 2 } as const

/** When the records were last compared, with which hosts, and the result. */
export function AuditFacts({ status }: { status: AuditStatus }) {
  if (status.at === null) return <EmptyState title={words.none}>{words.noneMore}</EmptyState>
  return (
    <div className="flex flex-col gap-2">
      <dl className="m-0 flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm">
        <Fact name={words.at} value={<RelativeTime at={status.at} />} />
        <Fact name={words.took} value={status.tookMs === null ? <Unknown /> : duration(status.tookMs)} />
        <Fact name={words.covered} value={words.coveredText(status.hosts, status.instances)} />
        <Fact
          name={words.survey}
          value={
            status.surveyAt === null ? <Unknown needs={words.needsSurvey} /> : <RelativeTime at={status.surveyAt} />
          }
        />
        <Fact name={words.silent} value={<Silent hosts={status.silent} />} />
        {status.neverAnswered.length > 0 ? (
          <Fact name={words.neverAnswered} value={<Hosts hosts={status.neverAnswered} />} />
        ) : null}
      </dl>
      <Counts status={status} />
    </div>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="shrink-0 text-xs text-soft">{name}</dt>
      <dd className="m-0">{value}</dd>
    </div>
  )
}

function Silent({ hosts }: { hosts: readonly Ref[] }) {
  if (hosts.length === 0) return <span className="text-soft">{words.everyoneAnswered}</span>
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Hosts hosts={hosts} />
      <span className="text-xs text-soft">{words.silentMore}</span>
    </span>
  )
}

const NAMED = 8

function Hosts({ hosts }: { hosts: readonly Ref[] }) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {hosts.slice(0, NAMED).map((host) => (
        <HostLink key={host.id} host={host} />
      ))}
      {hosts.length > NAMED ? <span className="text-soft">{words.more(hosts.length - NAMED)}</span> : null}
    </span>
  )
}

/** A tick means that the audit covered everything. */
const COMPLETE_BADGE = { shape: 'tick', tone: 'ok' } as const
const LEFT_OUT = { shape: 'unknown', tone: 'warn' } as const

function Counts({ status }: { status: AuditStatus }) {
  const some = status.byKind.filter((row) => row.count > 0)
  if (some.length === 0) {
    const left = status.silent.length + status.neverAnswered.length + status.undecided.count > 0
    const badge = { ...(left ? LEFT_OUT : COMPLETE_BADGE), label: words.calm }
    return (
      <p className="m-0 flex flex-wrap items-baseline gap-x-3 text-sm">
        <StateBadge badge={badge} />
        <span className="text-soft">
          <UncheckedParts status={status} />
        </span>
      </p>
    )
  }
  const sorted = [...some].sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] || b.count - a.count)
  return (
    <ul
      aria-label={words.counts}
      className="m-0 grid list-none gap-x-6 p-0 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4"
    >
      {sorted.map((row) => (
        <li key={row.kind} className="flex min-h-7 items-center gap-3 border-b border-line/60 text-sm">
          <StateBadge badge={severityBadges[row.severity]} className="w-18" />
          <TextLink href={paths.heal({ kind: row.kind })} className="min-w-0 flex-1 whitespace-normal!">
            {kindWords[row.kind]}
          </TextLink>
          <span>{count(row.count)}</span>
        </li>
      ))}
    </ul>
  )
}

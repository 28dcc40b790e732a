'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { UNREAD_HOST_FILTERS } from '@/lists/host'
import type { AuditStatus } from '@/server/api/finding/status'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { formatFilter } from '../ui/filter/grammar'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { findingWords } from './words'

const words = findingWords.notLookedAt

export interface FindingSubject {
  readonly kind: 'host' | 'instance' | 'migration'
  readonly id: string
}

/** "No findings" covers only what was audited; this names the rest. */
export function NoDiscrepancies({ about }: { about?: FindingSubject }) {
  const trpc = useTRPC()
  const { data, error } = useQuery(trpc.finding.status.queryOptions())
  return (
    <EmptyState title={findingWords.empty}>
      <p className="m-0">{about?.kind === 'migration' ? findingWords.emptyMigration : findingWords.emptyMore}</p>
      {/* Two lines, as its longest text has in a narrow window: the page below keeps its place when the answer arrives. */}
      <p className="m-0 min-h-[2lh]">
        {data ? (
          <UncheckedParts status={data} host={about?.kind === 'host' ? about.id : undefined} />
        ) : error ? (
          words.unknown
        ) : (
          words.asking
        )}
      </p>
    </EmptyState>
  )
}

/** For one host if given, otherwise for the fleet. */
export function UncheckedParts({ status, host }: { status: AuditStatus; host?: string | undefined }) {
  if (status.at === null) return words.noAudit
  const parts = host === undefined ? ofFleet(status) : ofHost(status, host)
  if (parts.length === 0) return host === undefined ? words.nothing : words.nothingHere
  return (
    <span>
      {words.title}{' '}
      {parts.map(({ key, text, href }, n) => (
        <span key={key}>
          {n === 0 ? null : ', '}
          {href === null ? text : <TextLink href={href}>{text}</TextLink>}
        </span>
      ))}
      .
    </span>
  )
}

interface Part {
  readonly key: string
  readonly text: ReactNode
  readonly href: string | null
}

const hostsUnread = (part: keyof typeof UNREAD_HOST_FILTERS): string =>
  paths.hosts({ q: formatFilter(UNREAD_HOST_FILTERS[part].map(({ key, any }) => ({ key, values: any, not: false }))) })

function ofFleet({ silent, neverAnswered, undecided }: AuditStatus): readonly Part[] {
  const part = (n: number, key: 'silent' | 'neverAnswered' | 'undecided', href: string): Part[] =>
    n === 0 ? [] : [{ key, text: words[key](n), href }]
  return [
    ...part(silent.length, 'silent', hostsUnread('silent')),
    ...part(neverAnswered.length, 'neverAnswered', hostsUnread('neverAnswered')),
    ...part(undecided.count, 'undecided', paths.migrations({ view: 'waiting' })),
  ]
}

function ofHost({ silent, neverAnswered, undecided }: AuditStatus, host: string): readonly Part[] {
  const here = ({ id }: { readonly id: string }) => id === host
  const count = undecided.byHost[host] ?? 0
  return [
    ...(silent.some(here) ? [{ key: 'silent', text: words.thisSilent, href: null }] : []),
    ...(neverAnswered.some(here) ? [{ key: 'never', text: words.thisNever, href: null }] : []),
    ...(count > 0
      ? [{ key: 'undecided', text: words.undecided(count), href: paths.host(host, { tab: 'migrations' }) }]
      : []),
  ]
}

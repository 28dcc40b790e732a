import type { FindingKind } from '../../engine/audit/finding'
import { isDead } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import { readAuditNow } from '../../store/finding/finding'
import { readActiveMigrations } from '../../store/migration/list'
import { readSurveyTimes } from '../../store/survey/survey'
import { hostNotes } from '../host/fleet-now'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import type { Severity } from './view'

export interface AuditStatus {
  /** Null before the first audit. */
  readonly at: Ms | null
  readonly tookMs: number | null
  readonly hosts: number
  readonly instances: number
  readonly byKind: readonly { readonly kind: FindingKind; readonly severity: Severity; readonly count: number }[]
  /** Hosts whose hypervisor did not answer at the last survey, though it once did. */
  readonly silent: readonly Ref[]
  readonly neverAnswered: readonly Ref[]
  /** Migrations that await a decision, a host or a retry: until they continue, the right records are unknown. */
  readonly undecided: { readonly count: number; readonly byHost: Readonly<Record<string, number>> }
  readonly surveyAt: Ms | null
}

/** The result of the last audit, and what it and the previous surveys could not read. */
export async function auditStatus({ database, fleet }: ApiServices): Promise<AuditStatus> {
  const [{ at, tookMs, hosts, instances, byKind }, surveys, notes, active] = await Promise.all([
    readAuditNow(database),
    readSurveyTimes(database),
    hostNotes({ database }),
    readActiveMigrations(database),
  ])
  // A dead host runs no instance, so nothing there is unknown.
  const surveyed = fleet.hosts().filter(({ status }) => !isDead(status))
  const refs = (holds: (id: string) => boolean) => surveyed.flatMap(({ id, name }) => (holds(id) ? [{ id, name }] : []))
  const never = (id: string) => (notes.get(id)?.lastSeenAt ?? null) === null
  return {
    ...{ at, tookMs, hosts, instances },
    silent: refs((id) => notes.get(id)?.unanswered === true && !never(id)),
    neverAnswered: refs(never),
    undecided: undecidedOf(active),
    byKind: byKind.map(({ kind, severity, count }) => ({ kind, severity, count })),
    surveyAt: surveys.length === 0 ? null : Math.max(...surveys.map(({ askedAt }) => askedAt)),
  }
}

function undecidedOf(active: readonly Migration[]): AuditStatus['undecided'] {
  const waiting = active.filter((each) => each.waiting !== null && each.waiting.for !== 'slot')
  const byHost: Record<string, number> = {}
  for (const { source, target } of waiting) {
    for (const host of new Set([source, target])) if (host !== null) byHost[host] = (byHost[host] ?? 0) + 1
  }
  return { count: waiting.length, byHost }
}

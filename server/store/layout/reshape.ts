import pg from 'pg'
import type { Attribution, Change, ChangeResult } from '../../engine/change'
import type { Host } from '../../engine/host'
import { type LayoutPlan, planLayout } from '../../engine/layout'
import { reshapeChange, type Step, stepChange } from '../../engine/layout/change'
import { differences } from '../../engine/layout/differences'
import type { Marker } from '../../engine/layout/marker'
import { hostProblems } from '../../engine/layout/obstacles'
import { advanced, failedAt, type Rollout, type RolloutOutcome } from '../../engine/layout/rollout'
import type { HostId } from '../../engine/words/ids'
import type { Database } from '../database/database'
import { readHost } from '../host/read'
import { childId } from './ids'
import { readMarker } from './read'

// Converts one host from flat to nested: planned on the current records, committed all or nothing, then read again and
// verified. A server may be killed between any two of these; the next one finds the host flat or nested and continues
// from there.

export interface ReshapeContext {
  readonly database: Database
  readonly commit: (change: Change) => Promise<ChangeResult>
  readonly attribution: Attribution
}

export type ReshapeResult =
  | { readonly did: 'verified' | 'skipped' }
  | { readonly did: 'blocked' | 'failed'; readonly why: string }
  /** A claim or a pause committed first: nothing was written, and a retry is safe. */
  | { readonly did: 'conflict' }

/** `rollout` converts this host, if not null; it advances in the same transactions. */
export async function reshapeHost(
  parts: ReshapeContext,
  id: HostId,
  rollout: Rollout | null = null,
): Promise<ReshapeResult> {
  const [host, marker] = await Promise.all([readHost(parts.database, id), readMarker(parts.database, id)])
  const subject = { id, marker, rollout }
  if (host === null) return ended(parts, subject, { did: 'blocked', why: 'The host no longer exists.' })
  if (host.layout === 'nested') {
    // Committed, but the verification was interrupted.
    const unseen = marker?.state === 'healed'
    return unseen
      ? judged(parts, subject, { after: host, outcome: 'healed' })
      : ended(parts, subject, { did: 'skipped' })
  }
  const answer = planLayout(host, childId)
  if (!answer.ok) return ended(parts, subject, { did: 'blocked', why: answer.blockedBy })
  const committed = await commitConversion(parts, { host, plan: answer.plan, marker, rollout })
  if (committed !== 'committed') return committed === 'conflict' ? { did: committed } : ended(parts, subject, committed)
  return verified(parts, { subject, plan: answer.plan, before: host })
}

interface Subject {
  readonly id: HostId
  readonly marker: Marker | null
  readonly rollout: Rollout | null
}

type ReshapeFailure = { readonly did: 'failed'; readonly why: string }

async function commitConversion(
  { commit, attribution }: ReshapeContext,
  reshape: Parameters<typeof reshapeChange>[0],
): Promise<'committed' | 'conflict' | ReshapeFailure> {
  try {
    const committed = await commit(reshapeChange(reshape, attribution))
    if (committed.ok) return 'committed'
    const { on, id, expected, found } = committed.conflict
    // While the root's generation is unchanged, rows of the records do not change, unless they were written directly.
    if (on !== 'row' || id.startsWith('layout_')) return 'conflict'
    return { did: 'failed', why: `${id} is ${found}, where ${expected} was expected. Nothing was written.` }
  } catch (error) {
    const why = refusedBy(error)
    if (why === null) throw error
    return { did: 'failed', why: `The database refused the rows: ${why}. Nothing was written.` }
  }
}

// 22 and 23: data and integrity; P0: raised by a function. A retry repeats these; the rest (connection lost, killed,
// too slow) may not recur.
const REFUSED = /^(22|23|P0)/

const refusedBy = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && REFUSED.test(error.code ?? '') ? error.message : null

interface CommittedLayout {
  readonly subject: Subject
  readonly plan: LayoutPlan
  readonly before: Host
}

async function verified(parts: ReshapeContext, { subject, plan, before }: CommittedLayout): Promise<ReshapeResult> {
  const [after, marker] = await Promise.all([
    readHost(parts.database, subject.id),
    readMarker(parts.database, subject.id),
  ])
  const now = { ...subject, marker }
  if (after === null) return ended(parts, now, { did: 'failed', why: 'The host was deleted during its conversion.' })
  // The host only has to match the plan while nothing was claimed or released since.
  const untouched = after.providers[0]?.generation === (before.providers[0]?.generation ?? 0) + 1
  const expected = untouched ? plan.after : after
  return judged(parts, now, { after, outcome: 'healed', expected })
}

interface VerificationInput {
  readonly after: Host
  readonly outcome: RolloutOutcome
  readonly expected?: Host
}

async function judged(parts: ReshapeContext, subject: Subject, judgement: VerificationInput): Promise<ReshapeResult> {
  const { after, expected = after } = judgement
  const problems = [...hostProblems(after), ...differences(expected, after)]
  if (problems.length === 0) return ended(parts, subject, { did: 'verified' })
  return ended(parts, subject, { did: 'failed', why: `The nested records are inconsistent (${problems.join('; ')}).` })
}

type End = Exclude<ReshapeResult, { did: 'conflict' }>

async function ended({ commit, attribution }: ReshapeContext, subject: Subject, end: End): Promise<ReshapeResult> {
  const why = 'why' in end ? end.why : null
  const step: Step = {
    host: subject.id,
    marker: subject.marker,
    state: end.did === 'skipped' ? null : end.did,
    why,
    rollout: subject.rollout && { before: subject.rollout, after: onward(subject.rollout, subject.id, end) },
  }
  if (step.state === null && step.rollout === null) return end
  const committed = await commit(stepChange(step, attribution))
  return committed.ok ? end : { did: 'conflict' }
}

function onward(rollout: Rollout, host: HostId, end: End): Rollout {
  if (end.did === 'failed') return failedAt(rollout, host, end.why)
  return advanced(rollout, end.did === 'verified' ? 'healed' : end.did)
}

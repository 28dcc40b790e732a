import { z } from 'zod'
import type { Attribution } from '../engine/change'
import { CLOUD_ACTION_KINDS, type CloudActionKind, RESET_STATES, STORAGE_MODES } from '../engine/cloud/action/action'
import { type FollowedAction, progressOfAction } from '../engine/cloud/action/followed'
import { CLOUD_ACTIONS } from '../engine/cloud/action/table'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf } from '../engine/cloud/facts'
import { servicesSetBetween, stillDead } from '../engine/cloud/history'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import { CLOCKS_DIFFER_MS } from '../engine/words/clocks'
import { type CloudActionRow, dateCloudActionAgain, endCloudAction, readOpenCloudActions } from '../store/cloud/action'
import { readOpenCloudDrains } from '../store/cloud/drain'
import { readFences, renewFence, unfenceHost } from '../store/cloud/fence'
import type { Database } from '../store/database/database'

// The watcher of a cloud follows requested actions of Nova from poll to poll, until they are done or have failed.

const NEVER_ANSWERED = 'the call was not answered'
/** After its end, a call may begin this late behind a gateway; earlier reads may show another client's action. */
const LATE_MS = 120_000
/** Longer than a call can take: after it, its sender has died. */
const SENDING_MS = 180_000
/** A sign-in and the call, and both again if the token is refused. */
const REQUESTS_PER_CALL = 4

const UNREADABLE = { state: 'failed', detail: 'the request can no longer be read' } as const
const followedSchema = z
  .object({
    ...{ verb: z.enum(CLOUD_ACTION_KINDS), subject: z.string() },
    followed: z.object({
      input: z.object({
        ...{ host: z.string().nullable(), flavor: z.string().nullable(), reason: z.string() },
        ...{ storage: z.enum(STORAGE_MODES), state: z.enum(RESET_STATES) },
      }),
      ...{ sentAt: z.number(), lastMigration: z.number(), lastWritten: z.number().nullable().default(null) },
      // By the database's clock.
      answeredAt: z.number().default(0),
    }),
  })
  .transform(({ verb, subject, followed: { answeredAt, ...followed } }) => {
    const action: FollowedAction = { verb, subject, ...followed }
    return { action, answeredAt }
  })

export interface Follower {
  readonly database: Database
  /** Of each request to the cloud. */
  readonly deadlineMs: number
  /** Why this request for an instance ended as it did, in Nova's words; null: unknown. */
  explain(instance: string, novaRequest: string | null): Promise<string | null>
  attribution(): Attribution
}

/** Clouds with open actions or drains, so that they are polled again soon. */
export async function followedClouds(database: Database): Promise<ReadonlySet<string>> {
  const [actions, drains] = await Promise.all([readOpenCloudActions(database), readOpenCloudDrains(database)])
  return new Set([...actions, ...drains].map(({ cloud }) => cloud))
}

/** Subjects of open actions in a cloud: ids of instances and migrations, names of hosts. */
export async function followedSubjects(database: Database, cloud: string): Promise<ReadonlySet<string>> {
  return new Set((await openActionsOf(database, cloud)).map(({ subject }) => subject))
}

const openActionsOf = async (database: Database, cloud: string): Promise<readonly CloudActionRow[]> =>
  (await readOpenCloudActions(database)).filter((row) => row.cloud === cloud)

export interface DatedSnapshot {
  readonly snapshot: CloudSnapshot
  /** By the database's clock: it says nothing about later requests, whatever the cloud's clock shows. */
  readonly begunAt: number
}

/** Ends actions that are over by this poll. Returns how many are still followed. */
export async function followActions(
  follower: Follower,
  cloud: string,
  { snapshot, begunAt }: DatedSnapshot,
): Promise<number> {
  const open = await openActionsOf(follower.database, cloud)
  if (open.length === 0) return 0
  const facts = factsOf(snapshot, DEFAULT_SETTINGS)
  let left = 0
  for (const row of open) if (!(await followOne(follower, { facts, begunAt }, row))) left++
  return left
}

async function followOne(
  follower: Follower,
  poll: Pick<FollowingPoll, 'facts' | 'begunAt'>,
  row: CloudActionRow,
): Promise<boolean> {
  const { deadlineMs } = follower
  const now = follower.attribution().at
  if (isAhead(row, now)) {
    await dateCloudActionAgain(follower.database, row.id, now)
    return false
  }
  const ending = endingOf(row, { ...poll, deadlineMs, now })
  if (ending === null) return false
  const instance = ending.state === 'failed' ? instanceOf(poll.facts, row) : null
  const explanation = instance === null ? null : await follower.explain(instance, row.novaRequest)
  const text = explanation === null ? ending.detail : `${ending.detail}; Nova says: ${explanation}`
  await endCloudAction(follower.database, { id: row.id, state: ending.state, says: text }, follower.attribution())
  return true
}

/** Nova keeps the results of requests by instance; null: the action is about a host. */
function instanceOf({ migrations }: CloudFacts, { verb, subject }: CloudActionRow): string | null {
  const about = CLOUD_ACTION_KINDS.includes(verb as CloudActionKind) && CLOUD_ACTIONS[verb as CloudActionKind].about
  if (about === 'instance') return subject
  return about === 'migration' ? (migrations.get(subject)?.instance ?? null) : null
}

export interface ActionEnding {
  readonly state: 'done' | 'failed'
  readonly detail: string
}

/** Times are by the database's clock. */
interface FollowingPoll {
  readonly facts: CloudFacts
  readonly begunAt: number
  readonly now: number
  /** Of each request to the cloud. */
  readonly deadlineMs: number
}

/** How an action ended, by what a poll read; null: it is still followed. */
export function endingOf(
  row: Pick<CloudActionRow, 'verb' | 'subject' | 'followed' | 'state' | 'askedAt'>,
  { facts, begunAt, now, deadlineMs }: FollowingPoll,
): ActionEnding | null {
  // A poll may have begun before the call was sent; only the call's answer dates the first poll that counts.
  const sendingMs = Math.max(SENDING_MS, REQUESTS_PER_CALL * deadlineMs)
  if (row.state === 'sending' && now - row.askedAt < sendingMs) return null
  const read = followedSchema.safeParse(row)
  const endedAt = endOfCall(row, read)
  // A poll that began before the answer may have read Nova before the change, whatever the dates of its answers.
  if (endedAt >= begunAt) return null
  const { state, detail } = read.success ? progressOfAction(facts, read.data.action) : UNREADABLE
  if (state === 'waiting' || (row.state !== 'accepted' && now - endedAt < LATE_MS)) return null
  return { state, detail: row.state === 'accepted' ? detail : `${NEVER_ANSWERED}; ${detail}` }
}

type FollowedTimes = Pick<CloudActionRow, 'verb' | 'subject' | 'followed' | 'askedAt'>

const endOfCall = ({ askedAt }: FollowedTimes, read: ReturnType<typeof followedSchema.safeParse>): number =>
  Math.max(askedAt, read.success ? read.data.answeredAt : 0)

/**
 * The clock was set back since the call: its times would keep it open until they come again. Whether a poll that is
 * under way began before the call is unknown then, so only a later one may judge it.
 */
export const isAhead = (row: FollowedTimes, now: number): boolean =>
  endOfCall(row, followedSchema.safeParse(row)) > now + CLOCKS_DIFFER_MS

interface PolledCloud {
  readonly cloud: string
  /** The previous poll; null: this is the first. */
  readonly before: Pick<CloudSnapshot, 'services'> | null
  readonly snapshot: Pick<CloudSnapshot, 'services'>
}

/** Hosts attested as powered off; an attestation that a later report disproves is withdrawn. */
export async function fencedHosts(
  { database, attribution }: Pick<Follower, 'database' | 'attribution'>,
  { cloud, before, snapshot }: PolledCloud,
): Promise<ReadonlyMap<string, number>> {
  const set = before === null ? new Map<string, number>() : servicesSetBetween(before, snapshot)
  const fences = (await readFences(database, cloud)).map((fence) => {
    return { ...fence, since: Math.max(fence.since, set.get(fence.host) ?? 0) }
  })
  for (const fence of fences) if (set.has(fence.host)) await renewFence(database, fence, attribution())
  const dead = stillDead(snapshot, new Map(fences.map(({ host, since }) => [host, since])))
  for (const fence of fences) if (!dead.has(fence.host)) await unfenceHost(database, fence, attribution())
  return dead
}

import type { Flavor, Image } from '../../engine/demand'
import type { ClaimBody, Holding, Host } from '../../engine/host'
import type { Migration, Progress, Side } from '../../engine/migration/state'
import type { StorageMode, StorageUsed } from '../../engine/storage/storage'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { otherSide } from '../../engine/words/side'
import { readClaimTimes } from '../../store/claim/times'
import { readEventData, readRequests, readStarter } from '../../store/event/trail-read'
import { type ListedMigration, readSteps } from '../../store/migration/list'
import { readServerSessions } from '../../store/task/server-session'
import { type MappingView, mappingView } from '../claim/mapping'
import { type ClaimTotals, type ClaimView, claimView, totalsOf } from '../claim/view'
import type { Ref } from '../names/names'
import { holdersIn, namesOf } from '../names/read'
import type { Rights } from '../permit/rights'
import type { ApiServices } from '../services'
import { pacesOf } from './pace'
import { actionsOf } from './rows'
import { type HeldSpan, heldSpans } from './spans'
import { readTransferEstimate, type TransferEstimateView } from './transfer-estimate'
import { type TransferLimitsView, transferLimitsOf } from './transfer-limits'
import { type UnattendedSpan, unattendedSpans } from './unattended'
import {
  type ActionTrail,
  type CauseView,
  causeView,
  type MigrationRow,
  migrationRow,
  refOf,
  type StepView,
  stepView,
  targetOf,
} from './view'

// Everything about one migration. While it is active, both claims are in the records; afterwards, the event
// `migration.claimed` has them.

export interface MigrationDetail extends MigrationRow {
  readonly requestedTarget: Ref | null
  readonly startedBy: string
  readonly reason: string | null
  readonly oldFlavor: Flavor
  readonly newFlavor: Flavor
  readonly oldImage: Image
  readonly newImage: Image
  readonly keepsClaim: boolean
  /** How a live migration was requested to treat the disk, and what its claim chose. */
  readonly storage: StorageMode | null
  readonly storageUsed: StorageUsed | null
  readonly wasRunning: boolean
  readonly attempt: number
  readonly tried: readonly Ref[]
  readonly generation: number
  readonly fence: number
  readonly cause: CauseView | null
  readonly steps: readonly StepView[]
  readonly spans: readonly HeldSpan[]
  /** Periods in which no server ran it; oldest first. */
  readonly unattended: readonly UnattendedSpan[]
  /** The present claim on each side; null when there is none. */
  readonly sourceClaim: ClaimView | null
  readonly targetClaim: ClaimView | null
  /** Kept after the end too; null when no claim was ever made. */
  readonly mapping: MappingView | null
  readonly progressHistory: readonly Progress[]
  readonly requestedActions: readonly ActionTrail[]
  /** Made when it was started, of a live migration to a real host; null for all others, and when another host was chosen. */
  readonly transferEstimate: TransferEstimateView | null
  /** Null when its transfer cannot be limited now. */
  readonly limits: TransferLimitsView | null
}

const PROGRESS_SHOWN = 600 // ten minutes of polls

export async function migrationDetail(
  services: ApiServices,
  found: ListedMigration,
  rights: Rights,
): Promise<MigrationDetail> {
  const { migration, endedAt } = found
  const [parts, limits] = await Promise.all([readParts(services, found), transferLimitsOf(services, migration, rights)])
  const { names, asked, begun, steps, since, accepted, claimed, progress, paces, sessions } = parts
  const pace = paces(migration)
  const requestedActions = actionsOf(migration, asked, steps)
  const host = (of: HostId) => services.fleet.host(of)
  const sides = sidesOf(migration, host, claimed[0])
  const active = new Map<InstanceId, Migration>(migration.step === 'ended' ? [] : [[migration.instance, migration]])
  const claimOf = ({ now, at }: HeldSide): ClaimView | null =>
    now && at ? claimView(now, { host: at, names, active, since }) : null
  return {
    ...migrationRow(migration, {
      rights,
      names,
      endedAt,
      host,
      requestedAction: requestedActions.at(-1) ?? null,
      steps,
      pace,
    }),
    ...storedFields(migration),
    requestedTarget: refOf(migration.requestedTarget, names),
    startedBy: begun?.who ?? 'unknown',
    reason: begun?.reason ?? null,
    tried: migration.tried.map((each) => names.host(each)),
    cause: causeView(migration, names),
    steps: steps.map((step) => stepView(step, pace)),
    spans: heldSpans(migration, steps, {
      host: (side): Ref | null => refOf(side === 'source' ? migration.source : targetOf(migration), names),
      held: (side): ClaimTotals | null => sides[side].body && totalsOf(sides[side].body),
    }),
    unattended: unattendedSpans(sessions, { from: migration.createdAt, to: endedAt, now: services.now() }),
    sourceClaim: claimOf(sides.source),
    targetClaim: claimOf(sides.target),
    mapping: mappingOf(sides),
    progressHistory: progressOf(migration, progress),
    requestedActions,
    transferEstimate: readTransferEstimate(accepted[0]?.estimate, migration.target),
    limits,
  }
}

async function readParts(services: ApiServices, { migration, endedAt }: ListedMigration) {
  const { database } = services
  const { id, instance, cause, createdAt } = migration
  const refusers = holdersIn(cause?.refusals?.flatMap((each) => each.refusals) ?? [])
  const [names, asked, begun, steps, since, accepted, claimed, progress, paces, sessions] = await Promise.all([
    namesOf(services, [instance, id, ...refusers]),
    readRequests(database, [id]),
    readStarter(database, id),
    readSteps(database, [id]),
    readClaimTimes(database, { instance }),
    readEventData(database, { migration: id, kind: 'migration.accepted', limit: 1 }),
    readEventData(database, { migration: id, kind: 'migration.claimed', limit: 1 }),
    readEventData(database, { migration: id, kind: 'migration.progressed', limit: PROGRESS_SHOWN }),
    pacesOf(database, [migration]),
    readServerSessions(database, { from: createdAt, to: endedAt ?? services.now() }),
  ])
  return { names, asked, begun, steps, since, accepted, claimed, progress, paces, sessions }
}

/** Fields of the page that come unchanged from the state machine. */
function storedFields(migration: Migration) {
  const { oldFlavor, newFlavor, oldImage, newImage, keepsClaim, wasRunning, attempt, generation, fence } = migration
  const { storage, storageUsed } = migration
  const shape = { oldFlavor, newFlavor, oldImage, newImage }
  return { ...shape, keepsClaim, storage, storageUsed, wasRunning, attempt, generation, fence }
}

interface HeldSide {
  readonly at: Host | null
  /** In the records now. */
  readonly now: Holding | null
  /** The present or past claim on this side; null when nothing was ever claimed there. */
  readonly body: ClaimBody | null
}
type Sides = Readonly<Record<Side, HeldSide>>

/** From the claim on, the instance holds the side in the migration's direction and the migration the other (L1). */
function sidesOf(migration: Migration, hostOf: (id: HostId) => Host | null, claimed: unknown): Sides {
  const taken = (claimed as { sides?: Partial<Record<Side, ClaimBody | null>> } | undefined)?.sides
  const before = migration.step === 'claim' || migration.keepsClaim
  const side = (which: Side): HeldSide => {
    const id = which === 'source' ? migration.source : migration.target
    const at = id === null ? null : hostOf(id)
    const byInstance = before
      ? which === 'source'
      : migration.step === 'ended'
        ? which === migration.home
        : which === migration.direction
    const holder = byInstance ? migration.instance : migration.id
    const now = at?.holdings.find((each) => each.consumer === holder) ?? null
    return { at, now, body: taken?.[which] ?? now?.body ?? null }
  }
  return { source: side('source'), target: side(otherSide('source')) }
}

function mappingOf({ source, target }: Sides): MappingView | null {
  const part = ({ body, at }: HeldSide) => (body ? { body, devices: at?.devices ?? [] } : null)
  return target.body === null ? null : mappingView(part(source), part(target))
}

/** Polls without progress repeat their time, and the last one is on the row too. */
function progressOf(
  { progress }: Migration,
  observations: readonly Readonly<Record<string, unknown>>[],
): readonly Progress[] {
  const all = [...observations.map((data) => data.progress as Progress | null | undefined), progress]
  const byTime = new Map(all.flatMap((each) => (each ? [[each.at, each] as const] : [])))
  return [...byTime.values()]
}

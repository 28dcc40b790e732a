import type { Holding, Host } from '../../engine/host'
import { permissionsOf } from '../../engine/migration/machine'
import type { Migration, RequestedAction, Side } from '../../engine/migration/state'
import { type ForceMethod, forceMethod } from '../../engine/words/force'
import type { HostId, MigrationId } from '../../engine/words/ids'
import { readHosts } from '../../store/host/read'
import { readMigrations } from '../../store/migration/list'
import { adviceOnMigration, type Verdict } from '../advice/router'
import { addTotals, type ClaimTotals, totalsOf } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import { migrationPlaces } from '../permit/permits'
import { permitOn } from '../permit/rights'
import type { Ms } from '../plain'
import { mapInBatches } from '../procedure/map-in-batches'
import type { CallerContext } from '../procedure/procedure'
import { sentenceOf } from '../refusal/refusals'
import { needsReason } from './requested-action'

// Preview of a requested action, in numbers. The action and the migration's direction determine which claim is
// released; the amounts come from the records.

/** Amounts that a requested action would free or keep on one host. */
export interface ConsequenceHost {
  readonly host: Ref
  readonly held: ClaimTotals
  readonly units: readonly string[]
}

export interface MigrationConsequences {
  readonly requestedAction: RequestedAction
  readonly permitted: readonly Ref[]
  /** `name` is the instance's. */
  readonly refused: readonly (Ref & { readonly why: string })[]
  readonly frees: readonly ConsequenceHost[]
  readonly keeps: readonly ConsequenceHost[]
  /** How many of the instances it stops or pauses. */
  readonly stopsGuests: number
  /** How many would be forced by which method; empty for every other request. */
  readonly methods: readonly { readonly method: ForceMethod; readonly count: number; readonly pausedMs: Ms | null }[]
  /** The adviser's verdicts, worst first: each once, with the number of migrations that share it. */
  readonly advice: readonly {
    readonly verdict: Verdict
    readonly because: string
    readonly needs: readonly string[]
    readonly count: number
  }[]
  readonly noWayBack: boolean
  readonly needsReason: boolean
  readonly needsTypedName: boolean
}

interface Effect {
  /** The side released when the requested action has taken effect; null when it releases nothing itself. */
  readonly frees: Side | null
  /** It stops or pauses the instance once more. */
  readonly stops: (migration: Migration) => boolean
  readonly noWayBack: boolean
}

const EFFECTS: { readonly [W in RequestedAction]: Effect } = {
  confirm: { frees: 'source', stops: () => false, noWayBack: true },
  // The instance runs on the target by now; a revert stops it there and starts it where it was.
  revert: { frees: 'target', stops: (migration) => migration.wasRunning, noWayBack: true },
  abort: { frees: 'target', stops: () => false, noWayBack: false },
  // Pausing the instance, or switching before all of its memory is copied.
  'force-complete': { frees: null, stops: () => true, noWayBack: true },
  retry: { frees: null, stops: () => false, noWayBack: false },
}

export interface ConsequencesInput {
  readonly ids: readonly MigrationId[]
  readonly requestedAction: RequestedAction
}

export async function consequencesOf(
  ctx: CallerContext,
  { ids, requestedAction }: ConsequencesInput,
): Promise<MigrationConsequences> {
  const { services, caller } = ctx
  const found = await readMigrations(services.database, ids)
  const migrations = new Map(found.map(({ migration }) => [migration.id, migration]))
  const names = await namesOf(
    services,
    found.flatMap(({ migration }) => [migration.instance, migration.id]),
  )
  const accepted: Migration[] = []
  const refused: (Ref & { why: string })[] = []
  for (const id of ids) {
    const migration = migrations.get(id)
    const places = migration ? migrationPlaces(migration, (host) => services.fleet.host(host)) : []
    const mine = permitOn(caller, 'operate', places)
    const why = mine.ok ? objection(migration, requestedAction) : mine.why
    if (migration && why === null) accepted.push(migration)
    else refused.push({ id, name: nameOf(id, migration, names), why: why ?? 'Migration not found.' })
  }
  const effect = EFFECTS[requestedAction]
  // From the tables, as the action will be: the fleet in memory may lag.
  const read = await readHosts(services.database, hostsOf(accepted))
  const hosts = new Map(read.map((host) => [host.id, host]))
  const claims = accepted.flatMap((migration) => claimsOf(migration, (id) => hosts.get(id) ?? null))
  return {
    requestedAction,
    permitted: accepted.map((migration) => ({ id: migration.id, name: names.instance(migration.instance).name })),
    refused,
    frees: byHost(claims.filter(({ side }) => side === effect.frees)),
    keeps: byHost(claims.filter(({ side }) => effect.frees !== null && side !== effect.frees)),
    methods: requestedAction === 'force-complete' ? methodsOf(accepted) : [],
    advice: await adviceOf(ctx, accepted, requestedAction),
    stopsGuests: accepted.filter(effect.stops).length,
    noWayBack: effect.noWayBack,
    needsReason: needsReason(requestedAction),
    needsTypedName: false,
  }
}

/** How long a pause lasts: the remaining memory at the current rate. Null when unknown. */
function methodsOf(migrations: readonly Migration[]): MigrationConsequences['methods'] {
  return (['pause', 'post-copy'] as const).flatMap((method) => {
    const of = migrations.filter(({ oldImage }) => forceMethod(oldImage.properties) === method)
    if (of.length === 0) return []
    const pauses = of.map(({ progress }) =>
      progress && progress.bandwidthBytesPerS > 0
        ? (1000 * progress.remainingBytes) / progress.bandwidthBytesPerS
        : Number.POSITIVE_INFINITY,
    )
    const longest = Math.max(...pauses)
    return [{ method, count: of.length, pausedMs: method === 'pause' && Number.isFinite(longest) ? longest : null }]
  })
}

const ADVISED_AT_ONCE = 8

/** The verdicts of the adviser's page: each once, with the number of migrations that share it. */
async function adviceOf(
  { services, caller }: CallerContext,
  migrations: readonly Migration[],
  requestedAction: RequestedAction,
) {
  const judgements = new Map<string, MigrationConsequences['advice'][number]>()
  const views = await mapInBatches(migrations, ADVISED_AT_ONCE, (each) => adviceOnMigration(services, each, caller))
  for (const { actions } of views) {
    const advised = actions.find(({ action }) => action === requestedAction)
    if (advised === undefined) continue
    const { verdict, because, needs } = advised
    const key = JSON.stringify([verdict, because, needs])
    judgements.set(key, { verdict, because, needs, count: (judgements.get(key)?.count ?? 0) + 1 })
  }
  return [...judgements.values()].sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict))
}

const WORST_FIRST: readonly Verdict[] = ['impossible', 'unsafe', 'unknown', 'attested', 'safe']

function objection(migration: Migration | undefined, requestedAction: RequestedAction): string | null {
  if (!migration) return 'Migration not found.'
  const permission = permissionsOf(migration).find((each) => each.requestedAction === requestedAction)
  return permission?.allowed === false ? sentenceOf(permission.refusal) : null
}

const hostsOf = (migrations: readonly Migration[]): readonly HostId[] => [
  ...new Set(migrations.flatMap(({ source, target }) => [source, target].filter((id) => id !== null))),
]

function nameOf(id: MigrationId, migration: Migration | undefined, names: Names): string {
  return migration ? names.instance(migration.instance).name : id
}

interface SideClaim {
  readonly side: Side
  readonly host: Host
  readonly holding: Holding
}

/** The migration's present claims on each side. */
function claimsOf(migration: Migration, hostOf: (id: NonNullable<Migration['source']>) => Host | null): SideClaim[] {
  const { source, target, direction, step, keepsClaim } = migration
  const claimed = step !== 'claim' && !keepsClaim
  const find = (side: Side, id: Migration['source']): SideClaim[] => {
    const host = id === null ? null : hostOf(id)
    const byInstance = claimed ? side === direction : side === 'source'
    const consumer = byInstance ? migration.instance : migration.id
    const holding = host?.holdings.find((each) => each.consumer === consumer)
    return host && holding ? [{ side, host, holding }] : []
  }
  return [...find('source', source), ...(claimed ? find('target', target) : [])]
}

function byHost(claims: readonly SideClaim[]): ConsequenceHost[] {
  const hosts = new Map<string, ConsequenceHost>()
  for (const { host, holding } of claims) {
    const held = totalsOf(holding.body)
    const units = holding.body.units.map(({ unit }) => unit)
    const known = hosts.get(host.id)
    hosts.set(host.id, {
      host: { id: host.id, name: host.name },
      held: known ? addTotals(known.held, held) : held,
      units: [...(known?.units ?? []), ...units],
    })
  }
  return [...hosts.values()]
}

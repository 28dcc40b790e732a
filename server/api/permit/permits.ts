import type { Instance } from '../../engine/change'
import { type Host, type HostFrame, isDead } from '../../engine/host'
import { startDelete } from '../../engine/lifecycle'
import { operationRefusals } from '../../engine/migration/accept'
import { permissionsOf } from '../../engine/migration/machine'
import { type Migration, OPERATIONS, type Operation, type RequestedAction } from '../../engine/migration/state'
import { POWER_ACTIONS, type PowerAction, powerRefusals } from '../../engine/power/request'
import type { HostId, MigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import type { HostKind } from '../host/view'
import { sentenceOf } from '../refusal/refusals'
import { type Permit, type PermitTarget, permitOn, type Rights, touchedHost } from './rights'

// Whether this user may perform an action now, from the engine's verdicts and the roles table. Sent with each row, so
// that screens repeat no rule.

export type Permits<A extends string> = Readonly<Record<A, Permit>>

export type HostAction = 'up' | 'down' | 'fenced' | 'lost' | 'enable' | 'disable'

export type InstanceAction = Operation | PowerAction | 'delete'

const YES: Permit = { ok: true }
const no = (why: string): Permit => ({ ok: false, why })
const unless = (why: string | null): Permit => (why === null ? YES : no(why))

/** Hosts by id, from any source. */
export type HostOf = (id: HostId) => Pick<HostFrame, 'name' | 'zone'> | null

/** Hosts as scopes cover them. Null, an unknown host, and no host at all are in no scope; `what` is what has them. */
export function permitTargetsOf(host: HostOf, ids: readonly (string | null)[], what: string): readonly PermitTarget[] {
  const nowhere: PermitTarget = { kind: 'fleet', name: what }
  const known = [...new Set(ids)].map((id) => (id === null ? null : host(id as HostId)))
  return known.length === 0 ? [nowhere] : known.map((each) => (each === null ? nowhere : touchedHost(each)))
}

/** Both its hosts; before one is chosen, the requested one. */
export function migrationPlaces(
  { source, target, requestedTarget }: Pick<Migration, 'source' | 'target' | 'requestedTarget'>,
  host: HostOf,
): readonly PermitTarget[] {
  const hosts = [source, target ?? requestedTarget].filter((id) => id !== null)
  return permitTargetsOf(host, hosts, 'the migration')
}

export interface PermitContext {
  readonly rights: Rights
  readonly host: HostOf
}

export function actionPermits(migration: Migration, { rights, host }: PermitContext): Permits<RequestedAction> {
  const mine = permitOn(rights, 'operate', migrationPlaces(migration, host))
  const rows = permissionsOf(migration).map((each) => [
    each.requestedAction,
    mine.ok && !each.allowed ? no(sentenceOf(each.refusal)) : mine,
  ])
  return Object.fromEntries(rows) as Permits<RequestedAction>
}

export interface InstanceFacts {
  readonly instance: Instance
  readonly host: Host | null
  readonly activeMigration: MigrationId | null
}

export function instancePermits(facts: InstanceFacts, rights: Rights): Permits<InstanceAction> {
  const mine = permitOn(rights, 'operate', [placeOf(facts)])
  const permit = (refusals: readonly Refusal[]) => (mine.ok ? unless(firstOf(refusals)) : mine)
  const operations = OPERATIONS.map((operation) => [operation, permit(operationRefusals(operation, facts))])
  // The time is irrelevant: nothing of this change is stored.
  const deletion = startDelete(facts, { actor: { who: '', request: null, reason: null }, at: 0 })
  return Object.fromEntries([
    ...operations,
    ...POWER_ACTIONS.map((action) => [action, permit(powerRefusals(action, facts))]),
    ['delete', permit(deletion.ok ? [] : deletion.refusals)],
  ]) as Permits<InstanceAction>
}

/** An instance on no host is where it was requested. */
export function placeOf({ instance: { name, zone }, host }: Pick<InstanceFacts, 'instance' | 'host'>): PermitTarget {
  if (host) return touchedHost(host)
  return zone === null ? { kind: 'fleet', name } : { kind: 'zone', name: zone }
}

function firstOf(refusals: readonly Refusal[]): string | null {
  return refusals[0] ? sentenceOf(refusals[0]) : null
}

export const HOST_ACTIONS = ['up', 'down', 'fenced', 'lost', 'enable', 'disable'] as const satisfies HostAction[]

/** `kind`: null where the connection of the host was not stored. */
export type PermitHost = Pick<HostFrame, 'name' | 'zone' | 'status' | 'scheduling'> & { readonly kind: HostKind | null }

export function hostPermits(host: PermitHost, rights: Rights): Permits<HostAction> {
  const mine = permitOn(rights, 'operate', [touchedHost(host)])
  const rows = HOST_ACTIONS.map((action) => [action, mine.ok ? unless(hostObjection(host, action)) : mine])
  return Object.fromEntries(rows) as Permits<HostAction>
}

/** Why an action makes no sense now; null when it does. */
export function hostObjection(
  { status, scheduling, kind }: Omit<PermitHost, 'name' | 'zone'>,
  action: HostAction,
): string | null {
  switch (action) {
    case 'enable':
      if (scheduling === 'quarantined') return 'The host is quarantined until it is cleaned up.'
      if (scheduling === 'enabled') return 'The host is already enabled.'
      return kind === 'read-only' ? 'Berth may only read this host. Add it again and let Berth control it.' : null
    case 'disable':
      if (scheduling === 'quarantined') return 'The host is quarantined and accepts no claims anyway.'
      return scheduling === 'disabled' ? 'The host is already disabled.' : null
    default:
      if (status === action) return `The host is ${status} already.`
      return status === 'lost' ? 'A permanently lost host never returns. Import it again.' : null
  }
}

/**
 * Afterwards migrations may start the instance elsewhere; if the host still runs it, two copies write to the same
 * disks.
 */
export function marksHostDead(action: HostAction): boolean {
  return action !== 'enable' && action !== 'disable' && isDead(action)
}

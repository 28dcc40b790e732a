import type { ClaimPlan } from '../claim'
import type { Group } from '../demand'
import { withClaim, withoutHolding } from '../holdings'
import type { Host } from '../host'
import { withAmounts } from '../resources/allocation'
import { splitKeptAmounts } from '../storage/storage'
import type { ClaimId, GroupId, HostId, InstanceId } from '../words/ids'
import type { DrainInput, GroupRule } from './plan'

// The host of each instance at one time. It is an immutable value; claims and releases return a new one that shares
// everything unchanged, so a search may keep thousands of them.

export interface Placements {
  readonly base: PlacementsBase
  /** Hosts that differ from the snapshot. */
  readonly changed: ReadonlyMap<HostId, Host>
  /** Instances on another host than in the snapshot. */
  readonly currentHosts: ReadonlyMap<InstanceId, HostId>
  /** Where members of groups hold claims. */
  readonly memberHosts: ReadonlyMap<InstanceId, readonly HostId[]>
}

interface PlacementsBase {
  readonly hosts: ReadonlyMap<HostId, Host>
  readonly at: ReadonlyMap<InstanceId, HostId>
  readonly groups: ReadonlyMap<GroupId, GroupRule>
  readonly members: ReadonlyMap<GroupId, readonly InstanceId[]>
  /** Hosts that have a sharing provider, by its id: what one takes from it is taken from all of them. */
  readonly sharers: ReadonlyMap<string, readonly HostId[]>
}

export function placementsOf(ask: DrainInput): Placements {
  const hosts = new Map(ask.hosts.map((host) => [host.id, host]))
  const memberHosts = new Map<InstanceId, HostId[]>()
  const sharers = new Map<string, HostId[]>()
  for (const host of ask.hosts) {
    for (const { id, sharing } of host.providers) if (sharing) push(sharers, id, host.id)
    for (const { instance } of host.holdings) {
      if (ask.members.has(instance) && !memberHosts.get(instance)?.includes(host.id))
        push(memberHosts, instance, host.id)
    }
  }
  const members = new Map<GroupId, InstanceId[]>()
  for (const [instance, group] of ask.members) push(members, group, instance)
  const at = new Map<InstanceId, HostId>()
  for (const { record } of ask.instances) if (record.host !== null) at.set(record.id, record.host)
  const groups = new Map(ask.groups.map((group) => [group.id, group]))
  return {
    base: { hosts, at, groups, members, sharers },
    changed: new Map(),
    currentHosts: new Map(),
    memberHosts,
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

export const hostOn = (placements: Placements, id: HostId): Host =>
  placements.changed.get(id) ?? placements.base.hosts.get(id)!

export const placeOf = (placements: Placements, instance: InstanceId): HostId | null =>
  placements.currentHosts.get(instance) ?? placements.base.at.get(instance) ?? null

/** The group without this member's own claims. */
export function groupOn(placements: Placements, group: GroupId | null, without: InstanceId): Group | null {
  const rule = group === null ? undefined : placements.base.groups.get(group)
  if (rule === undefined) return null
  const members = placements.base.members.get(rule.id) ?? []
  const memberHosts = members
    .filter((each) => each !== without)
    .flatMap((each) => placements.memberHosts.get(each) ?? [])
  return { ...rule, memberHosts: memberHosts.sort() }
}

/** Claims the plan's host for the instance, which still holds the host it leaves (I4). */
export function afterClaim(placements: Placements, instance: InstanceId, plan: ClaimPlan): Placements {
  const source = placeOf(placements, instance)
  const claim = source && hostOn(placements, source).holdings.find(({ consumer }) => consumer === instance)?.claim
  if (!claim) return placements
  const holding = { claim, consumer: instance, consumerKind: 'instance', instance } as const
  const host = withClaim(hostOn(placements, plan.host), holding, plan)
  const spot = placements.memberHosts.get(instance)
  const memberHosts = spot
    ? new Map(placements.memberHosts).set(instance, [...spot, plan.host])
    : placements.memberHosts
  const changed = new Map(placements.changed).set(host.id, host)
  if (plan.keptAmounts.length > 0) changed.set(source, subtractKeptAmounts(hostOn(placements, source), claim, plan))
  share(placements, changed, { on: host, amounts: plan.amounts, sign: 1 })
  return {
    ...placements,
    changed,
    currentHosts: new Map(placements.currentHosts).set(instance, host.id),
    memberHosts,
  }
}

/** Allocations at shared storage are kept; only the rest is released. */
const subtractKeptAmounts = (host: Host, claim: ClaimId, { keptAmounts }: ClaimPlan): Host => ({
  ...host,
  holdings: host.holdings.map((each) =>
    each.claim === claim
      ? { ...each, body: { ...each.body, amounts: splitKeptAmounts(each.body.amounts, keptAmounts).moves } }
      : each,
  ),
})

/** Releases the instance's claim on that host. */
function afterRelease(placements: Placements, instance: InstanceId, from: HostId): Placements {
  const before = hostOn(placements, from)
  const holding = before.holdings.find(({ consumer }) => consumer === instance)
  if (!holding) return placements
  const host = withoutHolding(before, holding.claim)
  const spot = placements.memberHosts.get(instance)
  const memberHosts = spot
    ? new Map(placements.memberHosts).set(
        instance,
        spot.filter((each) => each !== from),
      )
    : placements.memberHosts
  const changed = new Map(placements.changed).set(from, host)
  share(placements, changed, { on: host, amounts: holding.body.amounts, sign: -1 })
  return { ...placements, changed, memberHosts }
}

/** One complete migration: claimed on the target, then released on the source. */
export function afterMigration(placements: Placements, instance: InstanceId, plan: ClaimPlan): Placements {
  const from = placeOf(placements, instance)
  return from === null ? placements : afterRelease(afterClaim(placements, instance, plan), instance, from)
}

interface UsageDelta {
  readonly on: Host
  readonly amounts: ClaimPlan['amounts']
  readonly sign: 1 | -1
}

// Many hosts share one sharing provider, so an allocation reduces the free amount on all of them.
function share(placements: Placements, changed: Map<HostId, Host>, { on, amounts, sign }: UsageDelta): void {
  if (placements.base.sharers.size === 0) return
  for (const each of amounts) {
    for (const id of placements.base.sharers.get(each.provider) ?? []) {
      if (id === on.id) continue
      const other = changed.get(id) ?? placements.base.hosts.get(id)!
      changed.set(id, { ...other, providers: withAmounts(other.providers, [each], sign) })
    }
  }
}

/** A key that is equal for two placements exactly when all consumers hold the same on the same hosts. */
export function placementsKey(placements: Placements): string {
  const parts: string[] = []
  for (const [instance, place] of placements.currentHosts) {
    const body = bodyText(hostOn(placements, place), instance)
    const home = placements.base.at.get(instance)
    if (home === place && body === bodyText(placements.base.hosts.get(home)!, instance)) continue
    parts.push(`${instance}@${place}:${body}`)
  }
  return parts.sort().join('\n')
}

function bodyText(host: Host, instance: InstanceId): string {
  const body = host.holdings.find(({ consumer }) => consumer === instance)?.body
  return body ? JSON.stringify([body.amounts, body.cells, body.units.map(({ unit }) => unit)]) : ''
}

import { type Attribution, type Change, type Instance, NO_GUARDS, rootGuard } from '../change'
import { type ClaimPlan, decide } from '../claim'
import type { Demand } from '../demand'
import { confined } from '../heal/confine'
import type { ClaimBody, Host } from '../host'
import { adopt } from '../lifecycle'
import type { ClaimId, InstanceId, MigrationId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { isOff, type Power, powerText } from './state'

// A domain on a host where no record expects it: adopted, or removed. Removing first proves that it is not the last
// copy (docs/decisions/0030-simulated-fleet-in-a-table.md); adopting claims what the domain really has.

export interface Leftover {
  /** Where it was seen. */
  readonly host: Host
  readonly instance: InstanceId
  /** From the host's last answer; null: not in that answer, or no answer. */
  readonly observed: { readonly power: Power; readonly body: ClaimBody | null } | null
  /** Its record; null: none. */
  readonly row: Instance | null
  readonly activeMigration: MigrationId | null
  /** Berth deleted the instance: this domain was to be removed. */
  readonly deleted: boolean
}

const no = (need: string, have: string): Refusal => ({ kind: 'not-permitted', where: {}, need, have })

/** Why it must stay; empty when it is proven that it may be removed. */
export function removalRefusals(leftover: Leftover): readonly Refusal[] {
  const { host, instance, observed, activeMigration } = leftover
  if (host.status !== 'up') return [no('a host that is up', `${host.name} is ${host.status}.`)]
  if (observed === null) return [no('a domain', `${host.name} did not show it when it last answered.`)]
  if (host.leftovers.includes(instance)) return [no('a leftover', 'Its removal was already requested.')]
  if (activeMigration !== null) return [no('no active migration', 'A migration of it is active. End it first.')]
  if (host.holdings.some((holding) => holding.instance === instance)) {
    return [no('no claim here', 'It has a claim on this host. Repair the records first.')]
  }
  return provenElsewhere(leftover)
}

function provenElsewhere({ host, row, deleted, observed }: Leftover): readonly Refusal[] {
  if (row === null) {
    if (deleted) return []
    const why = 'It has no record, so this may be its only copy. Adopt it; then the instance can be deleted.'
    return [no('another copy', why)]
  }
  if (row.host === host.id) return [no('a leftover', 'This is its current host.')]
  if (row.vmState === 'shelved') return []
  const { power } = row
  if (!power?.current || power.state === 'unknown') {
    return [no('another copy', 'No current survey reports it on its own host, so this may be its only copy.')]
  }
  // A running copy needs another running copy, as in every driver.
  if (observed !== null && !isOff(observed.power.state) && isOff(power.state)) {
    return [no('another running copy', `It runs here, and on its own host it is ${powerText(power)}.`)]
  }
  return []
}

/** Lists it for removal: the conductor destroys it there, and until then the host takes no claim for this instance. */
export function requestRemoval({ host, instance, row }: Leftover, { actor, at }: Attribution): Change {
  return {
    // The proof holds now: no claim for it may have been made on the host, and its record must not have changed.
    guards: { ...NO_GUARDS, providers: rootGuard(host), instance: row && { id: row.id, generation: row.generation } },
    writes: [{ do: 'note-remains', host: host.id, instance, migration: null, side: 'source' }],
    event: {
      kind: 'host.removal-requested',
      hosts: [host.id],
      instance,
      migration: null,
      data: { name: row?.name ?? null },
    },
    actor,
    at,
  }
}

export function adoptionRefusals({ host, observed, row }: Leftover): readonly Refusal[] {
  if (row !== null) return [no('an unknown domain', `It is recorded as ${row.name}. Repair the records instead.`)]
  if (observed === null) return [no('a domain', `${host.name} did not show it when it last answered.`)]
  if (host.status !== 'up') return [no('a host that is up', `${host.name} is ${host.status}.`)]
  if (host.scheduling === 'quarantined')
    return [no('a cleaned host', `${host.name} is quarantined until it is cleaned up.`)]
  return []
}

export interface Adoption extends Pick<Instance, 'name' | 'project' | 'flavor' | 'image'> {
  readonly claim: ClaimId
  readonly demand: Demand
}

export type AdoptionResult =
  | { readonly ok: true; readonly change: Change }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

/** The record and a claim of what the domain has, as `decide` counts it; refused when that does not fit. */
export function adoptLeftover(leftover: Leftover, adoption: Adoption, attribution: Attribution): AdoptionResult {
  const refusals = adoptionRefusals(leftover)
  if (refusals.length > 0) return { ok: false, refusals }
  const { host, instance, observed } = leftover
  const { claim, demand, ...row } = adoption
  const plan = planHere(host, demand, observed?.body ?? null)
  if (!plan.ok) return plan
  const change = adopt({ ...row, id: instance, zone: null, group: null }, { id: claim, plan: plan.plan }, attribution)
  if (observed === null || !isOff(observed.power.state)) return { ok: true, change }
  const writes = change.writes.map((write) =>
    write.do === 'insert-instance' ? { ...write, instance: { ...write.instance, vmState: 'stopped' as const } } : write,
  )
  return { ok: true, change: { ...change, writes } }
}

type ClaimPlanResult =
  | { readonly ok: true; readonly plan: ClaimPlan }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

function planHere(host: Host, demand: Demand, places: ClaimBody | null): ClaimPlanResult {
  const found = confined({ decide, demand, host, places })
  if (found.ok) return { ok: true, plan: found.plan }
  const why = found.why ?? 'what the domain uses is not free here'
  return {
    ok: false,
    refusals: found.refusals.length > 0 ? found.refusals : [no('what flavor and image require', `Refused: ${why}.`)],
  }
}

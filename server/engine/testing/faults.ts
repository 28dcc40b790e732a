import type { FindingKind } from '../audit'
import type { HostSurveys, Snapshot, SurveyedDomain, SurveyResult } from '../audit/snapshot'
import type { Instance } from '../change'
import type { Holding, Host } from '../host'
import { applyLines } from '../ledger/lines'
import type { Migration } from '../migration/state'
import type { Line } from '../rows'
import type { ConsumerId, HostId, InstanceId } from '../words/ids'
import type { Chance } from './fleet'
import { demandFor, verdictOn } from './instances'

// Faults planted without the engine, in rows (as by SQL) or in reports of hypervisors.

/** The broken objects: whose findings may appear, and which must. */
export interface PlantedFault {
  readonly snapshot: Snapshot
  readonly instances?: readonly InstanceId[]
  readonly consumers?: readonly ConsumerId[]
  readonly hosts?: readonly HostId[]
  /** Unchanged hosts that no other fault may touch, because this one shows there too. */
  readonly near?: readonly HostId[]
}

export interface Fault {
  /** Kinds that must be found for its subject. */
  readonly finds: readonly FindingKind[]
  /** Further kinds that may be found: one broken row can break several laws. */
  readonly also?: readonly FindingKind[]
  /** True when a repair of rows must fix it in a fleet whose hypervisors answer. */
  readonly heals: boolean
  /** Null when this fleet has no suitable subject. */
  readonly plant: (on: FaultFleet) => PlantedFault | null
}

export const repairable = (finds: Fault['finds'], plant: Fault['plant']): Fault => ({ finds, heals: true, plant })
export const unrepairable = (finds: Fault['finds'], plant: Fault['plant']): Fault => ({ finds, heals: false, plant })

/** A fleet with the subjects already used, so that no two faults meet. */
export class FaultFleet {
  readonly snapshot: Snapshot
  readonly chance: Chance
  readonly #busy: ReadonlySet<string>

  constructor(snapshot: Snapshot, chance: Chance, busy: ReadonlySet<string>) {
    this.snapshot = snapshot
    this.chance = chance
    this.#busy = busy
  }

  /** An unbroken running instance without a migration, on an unbroken host. */
  restingAlone(fits: (one: FaultTarget) => boolean): FaultTarget | null {
    return this.resting((one) => this.#isQuiet(one.host) && fits(one))
  }

  /** An unbroken running instance without a migration, with its claim and its host. */
  resting(fits: (one: FaultTarget) => boolean = () => true): FaultTarget | null {
    const moving = new Set(this.snapshot.migrations.flatMap((each) => (each.step === 'ended' ? [] : [each.instance])))
    const all = this.snapshot.instances.flatMap((instance): FaultTarget[] => {
      if (moving.has(instance.id) || instance.vmState !== 'active' || this.#busy.has(instance.id)) return []
      const host = this.snapshot.hosts.find(({ id }) => id === instance.host)
      const holding = host?.holdings.find(({ consumer }) => consumer === instance.id)
      return host && holding && !this.#busy.has(host.id) ? [{ instance, host, holding }] : []
    })
    return this.#one(all.filter(fits))
  }

  /** Another instance at rest on the same host. */
  neighbour({ host, instance }: FaultTarget): FaultTarget | null {
    return this.resting((each) => each.host.id === host.id && each.instance.id !== instance.id)
  }

  moving(fits: (migration: Migration) => boolean): Migration | null {
    const free = this.snapshot.migrations.filter((each) => {
      const taken = [each.instance, each.source, each.target].some((id) => id !== null && this.#busy.has(id))
      return each.step !== 'ended' && !taken && fits(each)
    })
    return this.#one(free)
  }

  host(fits: (host: Host) => boolean = () => true): Host | null {
    return this.#one(this.snapshot.hosts.filter((host) => this.#isQuiet(host) && fits(host)))
  }

  /** Another host with room for the instance's demand, and the claim it would get there. */
  elsewhere({ instance, host }: FaultTarget): { readonly host: Host; readonly body: Holding['body'] } | null {
    const rooms = this.snapshot.hosts.flatMap((other) => {
      if (other.id === host.id || !this.#isQuiet(other)) return []
      const verdict = verdictOn(other, demandFor(instance.flavor))
      if (!verdict.ok) return []
      const { amounts, cells, units } = verdict.plan
      return [{ host: other, body: { amounts, cells, units } }]
    })
    return this.#one(rooms)
  }

  #isQuiet({ id, holdings }: Host): boolean {
    const live = this.snapshot.instances.filter(({ host }) => host === id).map((instance) => instance.id)
    const there = [id, ...live, ...holdings.map(({ instance }) => instance)]
    return !there.some((each) => this.#busy.has(each))
  }

  #one<T>(of: readonly T[]): T | null {
    return of.length === 0 ? null : of[this.chance(of.length)]!
  }
}

export interface FaultTarget {
  readonly instance: Instance
  readonly host: Host
  readonly holding: Holding
}

/** Rows written without the engine. */
export function bySql(snapshot: Snapshot, lines: readonly Line[]): Snapshot {
  const applied = applyLines(snapshot, lines)
  if (!applied.ok) throw new Error(`the tables would refuse: ${JSON.stringify(applied.conflict)}`)
  return applied.snapshot
}

export const instanceLine = ({ id, host, vmState, flavor }: Instance, set: Partial<Instance>): Line => {
  const before = { host, vmState, flavor }
  const after = { host: set.host === undefined ? host : set.host, vmState, flavor: set.flavor ?? flavor }
  return { row: 'instance', key: { id }, before, after, host: null, why: 'by SQL' }
}

export const withMigration = (snapshot: Snapshot, id: Migration['id'], set: Partial<Migration>): Snapshot => ({
  ...snapshot,
  migrations: snapshot.migrations.map((each) => (each.id === id ? { ...each, ...set } : each)),
})

/** Changes both surveys of a host alike. */
export function seeing(
  snapshot: Snapshot,
  host: HostId,
  change: (survey: SurveyResult) => Partial<SurveyResult>,
): Snapshot {
  const both = (surveys: HostSurveys): HostSurveys => {
    if (surveys.host !== host) return surveys
    const of = (survey: SurveyResult): SurveyResult => ({ ...survey, ...change(survey) })
    return { ...surveys, latest: of(surveys.latest), earlier: surveys.earlier && of(surveys.earlier) }
  }
  return { ...snapshot, hostSurveys: snapshot.hostSurveys!.map(both) }
}

/** The host reports neither the instance nor a device that is attached to it. */
export const without = (instance: InstanceId) => (survey: SurveyResult) => ({
  domains: survey.domains.filter((domain) => domain.instance !== instance),
  devices: (survey.devices ?? []).map((each) => (each.attachedTo === instance ? { ...each, attachedTo: null } : each)),
})

export const showing =
  (domain: Pick<SurveyedDomain, 'instance' | 'body'> & Partial<SurveyedDomain>) => (survey: SurveyResult) => {
    return { domains: [...survey.domains, { observedState: 'running' as const, migration: null, ...domain }] }
  }

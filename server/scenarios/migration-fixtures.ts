import type { Flavor, Image } from '../engine/demand'
import type { MigrationRequest } from '../engine/migration/accept'
import type { Migration, Operation } from '../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { FLAVORS, hostId, IMAGES } from '../simulation/hardware'
import { ScriptedScenario } from '../simulation/scripted-scenario'

// Helpers for scenarios about migrations: the hosts, flavors and images of the simulated fleet by name, and the most
// frequent queries of the records.

export const H1 = hostId(1)
export const H2 = hostId(2)
export const H3 = hostId(3)

export function flavor(name: string): Flavor {
  const found = FLAVORS.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no flavor ${name}`)
  return found
}

export const PLAIN: Image = IMAGES[0]!
/** Requests a NUMA topology. */
export const NUMA: Image = IMAGES[1]!

/** A scenario with one instance of that flavor, on the first host. */
export function oneInstance(name: string) {
  const scenario = new ScriptedScenario()
  return { scenario, instance: scenario.build(flavor(name), H1) }
}

/** A scenario in which that instance has a migration, to the second host unless the request says otherwise. */
export function oneMigration(name: string, operation: Operation, request: Partial<MigrationRequest> = {}) {
  const { scenario, instance } = oneInstance(name)
  return { scenario, instance, id: scenario.move(instance, operation, { target: H2, ...request }) }
}

/** The claims for an instance as `instance@host` and `migration@host`, sorted. */
export function holders(scenario: ScriptedScenario, instance: InstanceId): readonly string[] {
  return scenario.ledger
    .snapshot()
    .hosts.flatMap((host) =>
      host.holdings.filter((each) => each.instance === instance).map((each) => `${each.consumerKind}@${host.name}`),
    )
    .sort()
}

/** The units that a consumer holds on a host: CPUs and devices by name. */
export function unitsOn(
  scenario: ScriptedScenario,
  host: HostId,
  consumer: InstanceId | MigrationId,
): readonly string[] {
  const { holdings } = scenario.ledger.host({ host })!
  return holdings.flatMap((each) => (each.consumer === consumer ? each.body.units.map(({ unit }) => unit) : []))
}

/** Runs a migration up to the given step. */
export const carryTo = (scenario: ScriptedScenario, id: MigrationId, step: Migration['step']): Migration =>
  scenario.carry(id, { hold: step === 'transfer', until: (migration) => migration.step === step })

import { capacityOf } from '../resources/inventory'
import { ALWAYS_COMPARED, amountsOf, sumOf } from './amounts'
import { byProvider, type CloudFacts, hostOf, isSharing, rootOf } from './facts'
import type { CloudFinding } from './finding'
import type { CloudGuard } from './guard'
import { isDead, isEnded } from './history'
import { isLive } from './pins'
import { type AllocationChange, allocationRepair, type CloudRepair, migrationGuard, none, serverGuard } from './repair'
import type { Amounts, CloudMigration, CloudProvider, CloudServer } from './snapshot'

// Repairs that only write allocations. They move no instance, so each first checks that it is where Nova says.

/** A finding about one instance. */
export interface Subject {
  readonly facts: CloudFacts
  readonly finding: CloudFinding
  readonly server: CloudServer
}

const changeOf = ({ facts, server }: Subject, after: Readonly<Record<string, Amounts>>): AllocationChange => {
  const answer = facts.snapshot.consumers.get(server.id)
  const other = answer?.isRead === true ? answer.value : null
  const { id, name } = server
  return {
    ...{ consumer: id, who: `instance ${name}`, after },
    ...{ project: other?.project ?? server.project, user: other?.user ?? server.user },
  }
}

export const emptyMigration = (migration: CloudMigration, server: CloudServer): AllocationChange => ({
  ...{ consumer: migration.uuid, who: `migration ${migration.id}`, after: {} },
  ...{ project: server.project, user: server.user },
})

/** Why the instance may not be on the host that Nova records; null when the known facts say that it is. */
export function locationProblem({ snapshot, ...facts }: CloudFacts, server: CloudServer): string | null {
  for (const [host, answer] of snapshot.domains) {
    const domain = answer.isRead ? answer.value.find(({ instance }) => instance === server.id) : undefined
    if (domain !== undefined && isLive(domain) && host !== server.host) {
      return `The instance runs on ${host}, and Nova records it on ${server.host}.`
    }
    if (answer.isRead && domain === undefined && host === server.host && server.vmState === 'active') {
      return `libvirt on ${host}, where Nova records the instance, does not have it.`
    }
  }
  const type = [...facts.hypervisors.values()].find(({ host }) => host === server.host)?.type
  const tells =
    type !== 'fake' &&
    !snapshot.deadHosts.has(server.host ?? '') &&
    snapshot.domains.get(server.host ?? '')?.isRead !== true
  return tells && server.vmState === 'active' && server.powerState === 0
    ? `nova-compute on ${server.host} sees no domain (power state 0), so it may run elsewhere.`
    : null
}

const BEFORE_COPY = ['accepted', 'queued', 'preparing', 'pre-migrating']

/** Why the instance may run on its migration's target after its host died; null when it cannot, or that was checked. */
export function arrivalProblem(facts: CloudFacts, server: CloudServer): string | null {
  if (!isDead(facts, server.host)) return null
  const maybe = (facts.migrationsOf.get(server.id) ?? []).find((migration) => mayHaveArrived(server, migration))
  const target = maybe?.targetHost ?? null
  if (target === null || facts.snapshot.domains.get(target)?.isRead === true) return null
  return `${server.name} may have arrived on ${target} before ${server.host} died; nobody checked there.`
}

/** Once nova-compute of its source has started again, an instance that it sees there has not arrived. */
function mayHaveArrived(server: CloudServer, migration: CloudMigration): boolean {
  if (migration.sourceHost !== server.host || BEFORE_COPY.includes(migration.status)) return false
  return isEnded(migration) ? migration.status === 'error' && server.powerState === 0 : true
}

export function swapBack(subject: Subject): CloudRepair {
  const { facts, finding, server } = subject
  const migration = facts.migrations.get(finding.migrations[0] ?? '')
  const own = rootOf(facts, server.host, server.node)
  if (migration === undefined || own === null) return none('The migration is not listed any more.')
  const target = migration.targetHost
  const atTarget = target === null ? undefined : facts.snapshot.domains.get(target)
  const early = BEFORE_COPY.includes(migration.status)
  const problem = locationProblem(facts, server)
  if (problem !== null && !(early && server.powerState === 0 && atTarget?.isRead !== true)) return none(problem)
  const arrival = arrivalProblem(facts, server)
  if (arrival !== null) return none(arrival)
  const source = facts.consumers.get(migration.uuid)?.parts ?? []
  const kept = (facts.consumers.get(server.id)?.parts ?? []).filter(({ provider }) => isSharing(provider) === true)
  const after = byProvider([...kept, ...source])
  const guards: readonly CloudGuard[] = [
    serverGuard(server),
    migrationGuard(migration),
    ...(atTarget?.isRead === true && target !== null
      ? [{ kind: 'no-domain', host: target, instance: server.id } as const]
      : []),
  ]
  return allocationRepair(facts, {
    instance: server.id,
    guards,
    changes: [changeOf(subject, after), emptyMigration(migration, server)],
  })
}

export function releaseEnded(facts: CloudFacts, finding: CloudFinding): CloudRepair {
  const migration = facts.migrations.get(finding.object.id)
  if (migration === undefined) return none('The migration is not listed any more.')
  const server = facts.servers.get(migration.instance)
  if (server !== undefined) {
    const changes = [emptyMigration(migration, server)]
    return allocationRepair(facts, {
      instance: server.id,
      guards: [serverGuard(server), migrationGuard(migration)],
      changes,
    })
  }
  return releaseConsumer(facts, migration.uuid, [migrationGuard(migration)])
}

/** For a consumer without an instance: only its own answer gives project and user. */
export function releaseConsumer(facts: CloudFacts, consumer: string, guards: readonly CloudGuard[]): CloudRepair {
  const answer = facts.snapshot.consumers.get(consumer)
  if (answer?.isRead !== true)
    return none('Its allocations have to be read once more, with project, user and generation.')
  const { project, user } = answer.value
  const changes = [{ consumer, who: `consumer ${consumer}`, after: {}, project, user }]
  return allocationRepair(facts, { instance: null, guards, changes })
}

/** Keeps what the instance holds on its own host and on shared storage. */
export function releaseOtherHosts(subject: Subject): CloudRepair {
  const { facts, server } = subject
  const problem = locationProblem(facts, server)
  if (problem !== null) return none(problem)
  const guards = [serverGuard(server)]
  return allocationRepair(facts, { instance: server.id, guards, changes: [changeOf(subject, ownParts(subject))] })
}

function ownParts({ facts, server }: Subject): Readonly<Record<string, Amounts>> {
  const own = rootOf(facts, server.host, server.node)
  const parts = facts.consumers.get(server.id)?.parts ?? []
  return byProvider(parts.filter(({ provider }) => provider.root === own?.id || isSharing(provider) === true))
}

/** Only when its old host is known not to run it: evacuating while only nova-compute is dead starts a second copy. */
export function releaseEvacuated(subject: Subject): CloudRepair {
  const { facts, finding, server } = subject
  const migration = facts.migrations.get(finding.migrations[0] ?? '')
  const source = migration?.sourceHost ?? null
  if (migration === undefined || source === null) return none('The evacuation is not listed any more.')
  const seen = facts.snapshot.domains.get(source)
  const runs = seen?.isRead === true && seen.value.some((domain) => domain.instance === server.id && isLive(domain))
  if (runs) return none(`The instance still runs on ${source}.`)
  const cleaned = migration.status === 'completed' && facts.services.get(source)?.state === 'up'
  const proof: CloudGuard | null = isDead(facts, source)
    ? { kind: 'dead-host', host: source }
    : seen?.isRead === true
      ? { kind: 'no-domain', host: source, instance: server.id }
      : cleaned
        ? { kind: 'service', host: source, state: 'up' }
        : null
  if (proof === null)
    return none(`Nobody attested that ${source} is powered off, and its copy of the instance may still run there.`)
  const guards = [serverGuard(server), migrationGuard(migration), proof]
  return allocationRepair(facts, { instance: server.id, guards, changes: [changeOf(subject, ownParts(subject))] })
}

/** Amounts that the flavor requires, on the instance's host. */
export function claimAfresh(subject: Subject): CloudRepair {
  const { facts, server } = subject
  const problem = locationProblem(facts, server)
  if (problem !== null) return none(problem)
  const claim = claimFor(facts, server)
  if (typeof claim === 'string') return none(claim)
  const guards = [serverGuard(server)]
  return allocationRepair(facts, { instance: server.id, guards, changes: [changeOf(subject, claim)] })
}

/** A string when that is unknown: the scheduler chooses nested amounts. */
function claimFor(facts: CloudFacts, server: CloudServer): Readonly<Record<string, Amounts>> | string {
  const own = rootOf(facts, server.host, server.node)
  const wanted = amountsOf(server)
  if (own === null || wanted === null) return 'The amounts of its flavor or the provider of its host are not known.'
  if (!own.inventories.isRead) return 'The inventories of its host were not read.'
  const held = facts.consumers.get(server.id)?.parts ?? []
  const here = held.filter(({ provider }) => provider.root === own.id)
  if (here.some(({ provider }) => provider.id !== own.id))
    return 'It has allocations from nested providers. Only the scheduler can choose among them.'
  const besidesFlavor = (resources: Amounts): Amounts =>
    Object.fromEntries(
      Object.entries(resources).filter(([name]) => !ALWAYS_COMPARED.includes(name) && !(name in wanted)),
    )
  const offers = own.inventories.value
  const disk = wanted.DISK_GB !== undefined && !('DISK_GB' in offers) ? sharedDisk(facts, own) : null
  const lacking = Object.keys(wanted).filter((name) => !(name in offers) && !(name === 'DISK_GB' && disk !== null))
  if (lacking.length > 0) return `The provider of its host has no inventory of ${lacking.join(', ')} of its own.`
  const fromFlavor = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in offers))
  const onOwn = { ...besidesFlavor(here[0]?.resources ?? {}), ...fromFlavor }
  // Ports hold addresses and bandwidth of sharing providers, wherever the instance is.
  const shared = held
    .filter(({ provider }) => isSharing(provider) === true)
    .map(({ provider, resources }) => ({ provider, resources: besidesFlavor(resources) }))
    .filter(({ resources }) => Object.keys(resources).length > 0)
  const kept = byProvider(shared)
  const onDisk = disk === null ? {} : { [disk.id]: { ...kept[disk.id], DISK_GB: wanted.DISK_GB ?? 0 } }
  return roomProblem(facts, own, { consumer: server.id, wanted: onOwn }) ?? { ...kept, [own.id]: onOwn, ...onDisk }
}

/** The one provider that shares disk with the host; null when there is none or more than one. */
function sharedDisk(facts: CloudFacts, own: CloudProvider): CloudProvider | null {
  const groups = own.aggregates.isRead ? own.aggregates.value : []
  const sharing = [...facts.providers.values()].filter(
    (each) =>
      isSharing(each) === true &&
      each.inventories.isRead &&
      'DISK_GB' in each.inventories.value &&
      each.aggregates.isRead &&
      each.aggregates.value.some((aggregate) => groups.includes(aggregate)),
  )
  return sharing.length === 1 ? (sharing[0] ?? null) : null
}

function roomProblem(
  facts: CloudFacts,
  own: CloudProvider,
  { consumer, wanted }: { consumer: string; wanted: Amounts },
): string | null {
  if (!own.inventories.isRead || !own.allocations.isRead) return 'What is free on its host is not known.'
  const others = [...own.allocations.value].filter(([id]) => id !== consumer)
  const used = sumOf(others.map(([, { resources }]) => resources))
  for (const [name, amount] of Object.entries(wanted)) {
    const offer = own.inventories.value[name]
    if (offer === undefined) continue
    const capacity = capacityOf(offer)
    const taken = used[name] ?? 0
    if (taken + amount > capacity) {
      return `${hostOf(facts, own) ?? own.name} has ${Math.max(0, capacity - taken)} ${name} free, and ${amount} are needed: Placement would refuse.`
    }
  }
  return null
}

import { arrivalProblem, emptyMigration, locationProblem } from './allocation-repairs'
import { powerText } from './evidence'
import type { CloudFacts } from './facts'
import type { CloudFinding } from './finding'
import { isDead, lockOf } from './history'
import { instancesOn } from './host-checks'
import { cpusInUse, ownObservation, pinsOf, recordedPins } from './pins'
import {
  actionCall,
  allocationRepair,
  type CloudCall,
  type CloudRepair,
  migrationGuard,
  none,
  serverGuard,
} from './repair'
import type { CloudMigration, CloudServer } from './snapshot'

// Repairs that make Nova act. None of them can be undone, and each says what the guest notices.

const rebootCall = (server: CloudServer, does: string): CloudCall =>
  actionCall({
    ...{ server, microversion: '2.1', body: { reboot: { type: 'HARD' } }, does },
    ...{
      guards: [{ kind: 'service', host: server.host ?? '', state: 'up' }],
      command: ['reboot', '--hard', server.id],
    },
  })

const activeCall = (server: CloudServer, does: string): CloudCall =>
  actionCall({
    ...{ server, microversion: '2.1', body: { 'os-resetState': { state: 'active' } }, does },
    ...{ guards: [], command: ['set', '--state', 'active', server.id] },
  })

export const hardReboot = (server: CloudServer): CloudRepair => ({
  kind: 'calls',
  calls: [rebootCall(server, `Starts ${server.name} on ${server.host} with a hard reboot.`)],
  before: [`${server.name} is ${server.vmState}, and its domain is ${powerText(server.powerState)}`],
  after: [`${server.name} is active, and its domain is running`],
})

export function clearError(facts: CloudFacts, server: CloudServer): CloudRepair {
  const problem = locationProblem(facts, { ...server, vmState: 'active' })
  if (problem !== null) return none(problem)
  if (server.powerState !== 1) return hardReboot(server)
  return {
    kind: 'calls',
    calls: [activeCall(server, `Sets ${server.name} to active; its domain runs and is not touched.`)],
    before: [`${server.name} is in error, and its domain is running`],
    after: [`${server.name} is active`],
  }
}

/** A hard reboot defines the domain again, with the CPUs that Nova records. */
export function repin(facts: CloudFacts, server: CloudServer): CloudRepair {
  const pins = recordedPins(facts, server.id)
  const seen = ownObservation(facts, server)
  if (pins === null || seen === null || server.host === null) return none('The pinning was not read.')
  const others = cpusInUse(facts, server)
  const taken = [...pins.values()].filter((cpu) => others.has(cpu))
  if (taken.length > 0)
    return none(`CPU ${taken.join(', ')}, which Nova records for it, is in use by another instance.`)
  const unread = instancesOn(facts, server.host).some((each) => facts.snapshot.topologies.get(each.id)?.isRead !== true)
  if (unread) return none('The topology of other instances on its host was not read, so its CPUs may be in use.')
  const recorded = pinsOf(pins)
  const real = pinsOf(seen.domain.pins ?? null)
  const call = rebootCall(
    server,
    `Hard-reboots ${server.name}: it is down until it has booted on the CPUs that Nova records.`,
  )
  const guard = { kind: 'pins', host: server.host, instance: server.id, recorded, real } as const
  return {
    kind: 'calls',
    calls: [{ ...call, guards: [...call.guards, guard] }],
    before: [`${server.name} runs on ${real}, Nova records ${recorded}`],
    after: [`${server.name} runs on ${recorded}`],
  }
}

export function confirm(facts: CloudFacts, server: CloudServer, migration: CloudMigration): CloudRepair {
  const source = migration.sourceHost ?? ''
  if (facts.services.get(source)?.state !== 'up')
    return none(`nova-compute on ${source} is down: Nova refuses to confirm.`)
  const call = actionCall({
    ...{ server, microversion: '2.1', body: { confirmResize: null }, command: ['resize', 'confirm', server.id] },
    does: `Confirms migration ${migration.id}: ${source} removes what it kept for a revert, which is no longer possible.`,
    guards: [migrationGuard(migration), { kind: 'service', host: source, state: 'up' }],
  })
  return {
    kind: 'calls',
    calls: [call],
    before: [`migration ${migration.id} is finished, and it holds ${source}`],
    after: [`migration ${migration.id} is confirmed, and nothing of it is held on ${source}`],
  }
}

/** Ends a migration that Nova no longer accepts a confirm or revert for. */
export function endConfirm(facts: CloudFacts, server: CloudServer, migration: CloudMigration): CloudRepair {
  const release = allocationRepair(facts, {
    instance: server.id,
    guards: [serverGuard({ ...server, vmState: 'active' }, 'written'), { ...migrationGuard(migration) }],
    changes: [emptyMigration(migration, server)],
  })
  if (release.kind === 'none') return release
  const source = migration.sourceHost ?? ''
  const proof = isDead(facts, source)
    ? ({ kind: 'dead-host', host: source } as const)
    : ({ kind: 'service', host: source, state: 'up' } as const)
  const set = activeCall(server, `Sets ${server.name} to active; its domain on ${server.host} is not touched.`)
  return {
    kind: 'calls',
    calls: [{ ...set, guards: [...set.guards, migrationGuard(migration), proof] }, ...release.calls],
    before: [`${server.name} is resized, and migration ${migration.id} is confirming`, ...release.before],
    after: [`${server.name} is active; the record of migration ${migration.id} stays as it is`, ...release.after],
  }
}

export function evacuateAll(facts: CloudFacts, finding: CloudFinding): CloudRepair {
  const host = finding.object.id
  if (!isDead(facts, host))
    return none(
      `Nobody attested that ${host} is powered off. An evacuation while instances run there starts second copies.`,
    )
  const servers = instancesOn(facts, host).filter((server) => lockOf(facts, server) === null)
  const able = servers.filter(({ vmState }) => ['active', 'stopped', 'error'].includes(vmState))
  const problems = able.map((server) => locationProblem(facts, server) ?? arrivalProblem(facts, server))
  const fit = able.filter((_, at) => problems[at] === null)
  const stays = problems.filter((problem) => problem !== null)
  if (fit.length === 0) return none(stays[0] ?? 'None of its instances can be evacuated now.')
  return {
    kind: 'calls',
    calls: fit.map((server) => evacuateCall(server, host)),
    before: [`${fit.map(({ name }) => name).join(', ')} recorded on ${host}`],
    after: [
      'on a host that the scheduler chooses, rebuilt from its disk',
      ...stays.map((why) => `not evacuated: ${why}`),
    ],
  }
}

const evacuateCall = (server: CloudServer, host: string): CloudCall =>
  actionCall({
    ...{ server, microversion: '2.68', body: { evacuate: {} }, command: ['evacuate', server.id] },
    does: `Evacuates ${server.name} from ${host}; without shared storage its disk is built again from its image.`,
    guards: [
      { kind: 'dead-host', host },
      { kind: 'service', host, state: 'down' },
    ],
  })

export function deleteProvider(facts: CloudFacts, id: string): CloudRepair {
  const provider = facts.providers.get(id)
  if (!provider?.allocations.isRead) return none('Its allocations were not read.')
  if (provider.allocations.value.size > 0)
    return none(`${provider.allocations.value.size} consumers still have allocations from it.`)
  const children = [...facts.providers.values()].filter((each) => each.root === id && each.id !== id)
  if (children.length > 0) return none(`It has ${children.length} nested providers, which have to be deleted first.`)
  const { name, generation } = provider
  const call: CloudCall = {
    service: 'placement',
    method: 'DELETE',
    path: `/resource_providers/${id}`,
    microversion: '1.28',
    body: null,
    does: `Deletes the provider ${name} with its inventories. A nova-compute with this uuid creates it again.`,
    instance: null,
    guards: [{ kind: 'unused-provider', id, generation }],
    undo: null,
    commands: [['resource', 'provider', 'delete', id]],
  }
  return {
    kind: 'calls',
    calls: [call],
    before: [`provider ${name} offers inventory of no host`],
    after: [`no provider ${name}`],
  }
}

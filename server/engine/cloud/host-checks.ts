import { grouped } from '../ledger/grouped'
import {
  hostObject,
  instanceObject,
  migrationEvidence,
  migrationFingerprint,
  serverEvidence,
  serverFingerprint,
  serviceEvidence,
} from './evidence'
import { type CloudFacts, isComplete, isSharing, rootOf, rowsOf, timeOrZero } from './facts'
import { BLANK_DRAFT, type CloudDraft, type CloudEvidence } from './finding'
import { isSettled, lockOf } from './history'
import type { CloudGroup, CloudHypervisor, CloudMigration, CloudProvider, CloudServer } from './snapshot'

// Group 8: services, providers, groups, and instances in a state that a retry would fix.

export const hostChecks = (facts: CloudFacts): readonly CloudDraft[] => [
  ...serviceDrafts(facts),
  ...providerDrafts(facts),
  ...rowsOf(facts.snapshot.groups).flatMap((group) => groupDrafts(facts, group)),
]

export const instancesOn = ({ serversOn }: CloudFacts, host: string): readonly CloudServer[] =>
  serversOn.get(host) ?? []

function serviceDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return [...facts.services.values()].flatMap((service): readonly CloudDraft[] => {
    const { host, state, status, forcedDown, disabledReason } = service
    const recorded = instancesOn(facts, host)
    // An instance with a task may be leaving, unless nova-compute is down.
    const here = state === 'down' ? recorded : recorded.filter(({ taskState }) => taskState === null)
    if (here.length === 0 || (state === 'up' && status === 'enabled')) return []
    const says = `${here.length} ${here.length === 1 ? 'instance' : 'instances'} recorded on ${host}`
    const servers: CloudEvidence = { source: 'nova', says, at: timeOrZero(facts.snapshot.servers) }
    const base = {
      ...BLANK_DRAFT,
      object: hostObject(host),
      instances: here.map(({ id }) => id),
      hosts: [host],
      evidence: [serviceEvidence(facts, host), servers],
      print: `${state} ${status}`,
    }
    const forced = forcedDown ? 'Somebody forced nova-compute down' : 'nova-compute does not report'
    const reason = disabledReason === null ? '' : ` (${disabledReason})`
    return state === 'down'
      ? [{ ...base, kind: 'service-down', cause: `${forced} on ${host}, and nobody has evacuated its instances.` }]
      : [
          {
            ...base,
            kind: 'service-disabled',
            cause: `The service on ${host} is disabled${reason}, and instances stay there.`,
          },
        ]
  })
}

function providerDrafts(facts: CloudFacts): readonly CloudDraft[] {
  const { hypervisors, services, providers } = facts.snapshot
  if (![hypervisors, services, providers].every(isComplete)) return []
  const known = [...facts.hypervisors.values()]
  const roots = [...facts.providers.values()].filter(({ id, root }) => id === root)
  const renamed = known.flatMap((hypervisor) => {
    const provider = roots.find(({ id, name }) => name === hypervisor.node && id !== hypervisor.id)
    return provider === undefined || facts.providers.has(hypervisor.id) ? [] : [{ hypervisor, provider }]
  })
  return [
    ...renamed.map(({ hypervisor, provider }) => renamedDraft(facts, hypervisor, provider)),
    ...known
      .filter(({ id, host }) => !facts.providers.has(id) && facts.services.get(host)?.state === 'up')
      .filter((hypervisor) => !renamed.some((each) => each.hypervisor === hypervisor))
      .map((hypervisor) => lackingDraft(facts, hypervisor)),
    ...roots
      .filter((provider) => isLoose(facts, provider) && !renamed.some((each) => each.provider === provider))
      .map((provider) => looseDraft(facts, provider)),
  ]
}

/** Nova's computes mark their providers with a trait; older ones are recognised by their inventory. */
function isLoose({ hypervisors, settings }: CloudFacts, provider: CloudProvider): boolean {
  if (hypervisors.has(provider.id) || settings.otherClients.has(provider.id)) return false
  if (isSharing(provider) !== false || !provider.traits.isRead || !provider.inventories.isRead) return false
  const offers = provider.inventories.value
  return provider.traits.value.includes('COMPUTE_NODE') || ('VCPU' in offers && 'MEMORY_MB' in offers)
}

const providerEvidence = ({ snapshot }: CloudFacts, says: string): CloudEvidence => {
  return { source: 'placement', says, at: timeOrZero(snapshot.providers) }
}
const hypervisorEvidence = ({ snapshot }: CloudFacts, says: string): CloudEvidence => {
  return { source: 'nova', says, at: timeOrZero(snapshot.hypervisors) }
}

function renamedDraft(facts: CloudFacts, { id, host, node }: CloudHypervisor, provider: CloudProvider): CloudDraft {
  return {
    ...BLANK_DRAFT,
    kind: 'provider-uuid-differs',
    object: hostObject(host),
    hosts: [host],
    cause: `Nova has a new record of ${node}, and Placement refuses a second provider with its name: nothing new can be placed there.`,
    evidence: [
      hypervisorEvidence(facts, `hypervisor ${node} is ${id}`),
      providerEvidence(facts, `provider ${node} is ${provider.id}`),
    ],
    print: `${id} ${provider.id}`,
  }
}

function lackingDraft(facts: CloudFacts, { id, host, node }: CloudHypervisor): CloudDraft {
  return {
    ...BLANK_DRAFT,
    kind: 'service-without-provider',
    object: hostObject(host),
    hosts: [host],
    cause: `nova-compute on ${host} is up and has no resource provider, so the scheduler does not know the host.`,
    evidence: [hypervisorEvidence(facts, `hypervisor ${node} is ${id}`), providerEvidence(facts, `no provider ${id}`)],
    print: id,
  }
}

function looseDraft(facts: CloudFacts, { id, name, generation }: CloudProvider): CloudDraft {
  return {
    ...BLANK_DRAFT,
    kind: 'provider-without-service',
    object: { type: 'provider', id, name },
    cause: `The compute service of ${name} was deleted, and its resource provider was left behind.`,
    evidence: [
      hypervisorEvidence(facts, `no hypervisor ${id}`),
      providerEvidence(facts, `provider ${name}, generation ${generation}`),
    ],
    print: String(generation),
  }
}

function groupDrafts(facts: CloudFacts, group: CloudGroup): readonly CloudDraft[] {
  const members = group.members
    .map((id) => facts.servers.get(id))
    .filter((server) => server?.host != null) as CloudServer[]
  if (members.some((server) => lockOf(facts, server) !== null || !isSettled(facts, server))) return []
  const byHost = grouped(members, ({ host }) => host ?? '')
  const most = Math.max(0, ...[...byHost.values()].map(({ length }) => length))
  const apart = group.policy === 'anti-affinity' && most > (group.maxPerHost ?? 1)
  const together = group.policy === 'affinity' && byHost.size > 1
  if (!apart && !together) return []
  const where = [...byHost].map(([host, { length }]) => `${length} on ${host}`).join(', ')
  return [
    {
      ...BLANK_DRAFT,
      kind: 'group-policy-broken',
      object: { type: 'group', id: group.id, name: group.name },
      instances: members.map(({ id }) => id),
      hosts: [...byHost.keys()],
      cause: `Members of the ${group.policy} group are placed ${where}; forced or concurrent migrations cause this.`,
      evidence: [
        { source: 'nova', says: `group ${group.name}: ${group.policy}`, at: timeOrZero(facts.snapshot.groups) },
        ...members.map((server) => serverEvidence(facts, server)),
      ],
      print: members.map(serverFingerprint).join(' '),
    },
  ]
}

/** Nova records the destination as the host only once the instance runs there. */
const failedAfterArrival = ({ host }: CloudServer, { type, status, targetHost }: CloudMigration): boolean =>
  type === 'live-migration' && status === 'error' && host === targetHost

/** Nova's fault of the instance when Placement does not release the migration's allocations. */
const UNRELEASED = /Failed to delete allocations for consumer/

/** Faults of the connection between services, not of the instance. */
const PASSING =
  /MessagingTimeout|Timed out waiting for|ConnectFailure|Unable to establish connection|connection (was )?(refused|reset|aborted)|ServiceUnavailable|temporarily unavailable/i

export function powerChecks(facts: CloudFacts, server: CloudServer): readonly CloudDraft[] {
  const { host, vmState, powerState, fault } = server
  if (host === null || facts.services.get(host)?.state !== 'up' || lockOf(facts, server) !== null) return []
  if (!isSettled(facts, server)) return []
  const hypervisor = facts.hypervisors.get(rootOf(facts, host, server.node)?.id ?? '')
  const draftOf = (kind: CloudDraft['kind'], cause: string): CloudDraft => ({
    ...BLANK_DRAFT,
    kind,
    object: instanceObject(server),
    instances: [server.id],
    hosts: [host],
    cause,
    evidence: [serverEvidence(facts, server), serviceEvidence(facts, host)],
    print: serverFingerprint(server),
  })
  if (vmState === 'error' && fault !== null && PASSING.test(fault.message)) {
    const cause = `The last action failed with “${fault.message}”, a fault between services, not in the instance.`
    return [draftOf('instance-in-error', cause)]
  }
  const [last] = facts.migrationsOf.get(server.id) ?? []
  const isUnreleased = fault === null || UNRELEASED.test(fault.message)
  if (vmState === 'error' && isUnreleased && last !== undefined && failedAfterArrival(server, last)) {
    const cause = `Migration ${last.id} ended in error after the instance had arrived on ${host}: Nova could not delete what the migration held in Placement.`
    const draft = draftOf('instance-in-error', cause)
    const evidence = [...draft.evidence, migrationEvidence(facts, last)]
    return [{ ...draft, migrations: [last.uuid], evidence, print: `${draft.print} ${migrationFingerprint(last)}` }]
  }
  // Drivers without domains keep no power state.
  const tells = hypervisor !== undefined && hypervisor.type !== 'fake'
  if (!tells || vmState !== 'active' || (powerState !== 4 && powerState !== 6)) return []
  const how = powerState === 4 ? 'shut down' : 'crashed'
  const cause = `The guest ${how} on its own, and Nova has not recorded it as stopped.`
  return [draftOf('instance-shut-down', cause)]
}

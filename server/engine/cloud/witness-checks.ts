import { grouped } from '../ledger/grouped'
import { instanceObject, serverEvidence, serverFingerprint } from './evidence'
import { type CloudFacts, timeOrZero } from './facts'
import { BLANK_DRAFT, type CloudDraft, type CloudEvidence } from './finding'
import { ageSince, isSettled, lockOf, patienceOf } from './history'
import { type DomainObservation, isLive, ownObservation, pinsOf, recordedPins } from './pins'
import type { CloudServer } from './snapshot'

// Groups 5 and 7: facts from the hypervisor or Nova's topology alone. Hosts that were not queried give no finding.

export const witnessChecks = (facts: CloudFacts): readonly CloudDraft[] => [
  ...placeDrafts(facts),
  ...pinDrafts(facts),
  ...sharedCpuDrafts(facts),
]

function observationsOf({ snapshot }: CloudFacts): ReadonlyMap<string, readonly DomainObservation[]> {
  const observations = [...snapshot.domains].flatMap(([host, answer]) =>
    answer.isRead ? answer.value.map((domain) => ({ host, domain, at: answer.at })) : [],
  )
  return grouped(observations, ({ domain }) => domain.instance)
}

const observationEvidence = ({ host, domain, at }: DomainObservation): CloudEvidence => {
  return { source: 'libvirt', says: `domain ${domain.name} on ${host}: ${domain.state}`, at }
}

const draftOf = (facts: CloudFacts, server: CloudServer, seen: readonly DomainObservation[]) => ({
  ...BLANK_DRAFT,
  object: instanceObject(server),
  instances: [server.id],
  hosts: seen.map(({ host }) => host),
  evidence: [serverEvidence(facts, server), ...seen.map(observationEvidence)],
  print: [serverFingerprint(server), ...seen.map(({ host, domain }) => `${host} ${domain.state}`).sort()].join(' '),
})

function placeDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return [...observationsOf(facts)].flatMap(([id, seen]) => {
    const server = facts.servers.get(id)
    if (server === undefined || server.host === null) return []
    if (lockOf(facts, server) !== null || !isSettled(facts, server)) return []
    const live = seen.filter(({ domain }) => isLive(domain))
    const away = live.filter(({ host }) => host !== server.host)
    const hosts = live.map(({ host }) => host).join(' and ')
    if (live.length > 1) {
      const cause = `The instance runs on ${hosts}: a migration or evacuation started a copy while the other one kept running.`
      return [{ ...draftOf(facts, server, seen), kind: 'guest-runs-twice' as const, cause }]
    }
    if (away.length > 0) {
      const cause = `The instance runs on ${hosts}, and Nova records it on ${server.host}: it arrived there while nova-compute was down.`
      return [{ ...draftOf(facts, server, seen), kind: 'guest-runs-elsewhere' as const, cause }]
    }
    return leftoverDrafts(facts, server, seen)
  })
}

/** nova-compute removes such domains on confirm, and when a host returns. */
function leftoverDrafts(
  facts: CloudFacts,
  server: CloudServer,
  seen: readonly DomainObservation[],
): readonly CloudDraft[] {
  if (server.vmState === 'resized' || !seen.some((each) => each.host === server.host && isLive(each.domain))) return []
  const migrations = facts.migrationsOf.get(server.id) ?? []
  const left = seen.filter(
    ({ host, domain }) =>
      host !== server.host &&
      domain.state === 'shut off' &&
      facts.services.get(host)?.state === 'up' &&
      !migrations.some(({ status, sourceHost }) => status === 'done' && sourceHost === host),
  )
  const since = Math.max(server.updatedAt, ...migrations.map(({ updatedAt }) => updatedAt ?? 0))
  if (left.length === 0 || ageSince(facts, since) < patienceOf(facts, 'arrived')) return []
  const cause = `nova-compute on ${left.map(({ host }) => host).join(' and ')} has not removed its copy of the domain.`
  return [{ ...draftOf(facts, server, seen), kind: 'domain-leftover', cause }]
}

const topologyEvidence = (facts: CloudFacts, server: CloudServer): CloudEvidence => {
  const at = timeOrZero(facts.snapshot.topologies.get(server.id))
  return { source: 'nova', says: `${server.name} is pinned ${pinsOf(recordedPins(facts, server.id))}`, at }
}

const pinEvidence = ({ domain, at }: DomainObservation): CloudEvidence => {
  return { source: 'libvirt', says: `domain ${domain.name} is pinned ${pinsOf(domain.pins ?? null)}`, at }
}

function pinDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return [...facts.servers.values()].flatMap((server) => {
    const pins = recordedPins(facts, server.id)
    const seen = pins === null ? null : ownObservation(facts, server)
    const real = seen?.domain.pins
    if (pins === null || seen === null || real === undefined || !isSettled(facts, server)) return []
    const differ = [...pins].some(([vcpu, host]) => String(real.get(vcpu) ?? '') !== String(host))
    if (!differ) return []
    const failed = (facts.migrationsOf.get(server.id) ?? []).find(({ status }) => ['failed', 'error'].includes(status))
    const after =
      failed === undefined
        ? 'Nova saved other CPUs'
        : `Migration ${failed.id} failed, and Nova saved the CPUs that it had claimed at the target`
    return [
      {
        ...draftOf(facts, server, [seen]),
        kind: 'guest-pins-differ' as const,
        cause: `${after}; the instance keeps its old ones, which Nova gives to the next pinned instance.`,
        evidence: [topologyEvidence(facts, server), pinEvidence(seen)],
        locked: lockOf(facts, server),
        print: `${serverFingerprint(server)} ${pinsOf(pins)} ${pinsOf(real)}`,
      },
    ]
  })
}

interface PinnedServer {
  readonly server: CloudServer
  readonly cpus: ReadonlySet<number>
  readonly evidence: readonly CloudEvidence[]
}

/** The CPUs that the instance really has, if libvirt reports them; else those that Nova records. */
function pinnedOn(facts: CloudFacts): ReadonlyMap<string, readonly PinnedServer[]> {
  const byHost = new Map<string, PinnedServer[]>()
  for (const server of facts.servers.values()) {
    const pins = recordedPins(facts, server.id)
    if (pins === null || server.host === null || lockOf(facts, server) !== null || !isSettled(facts, server)) continue
    const seen = ownObservation(facts, server)
    const real = seen?.domain.pins
    const cpus = new Set(real === undefined ? pins.values() : [...real.values()].flat())
    const evidence = [
      topologyEvidence(facts, server),
      ...(seen === null || real === undefined ? [] : [pinEvidence(seen)]),
    ]
    byHost.set(server.host, [...(byHost.get(server.host) ?? []), { server, cpus, evidence }])
  }
  return byHost
}

function sharedCpuDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return [...pinnedOn(facts)].flatMap(([host, pinned]) =>
    pinned.flatMap((one, at) =>
      pinned.slice(at + 1).flatMap((other) => {
        const shared = [...one.cpus].filter((cpu) => other.cpus.has(cpu)).sort((a, b) => a - b)
        return shared.length === 0 ? [] : [sharedDraft(host, shared, [one, other])]
      }),
    ),
  )
}

function sharedDraft(host: string, cpus: readonly number[], pair: readonly [PinnedServer, PinnedServer]): CloudDraft {
  const [one, other] = pair
  const word = cpus.length === 1 ? 'CPU' : 'CPUs'
  return {
    ...BLANK_DRAFT,
    kind: 'cpu-pinned-twice',
    object: instanceObject(one.server),
    instances: [one.server.id, other.server.id],
    hosts: [host],
    cause: `${one.server.name} and ${other.server.name} both run on ${word} ${cpus.join(', ')} of ${host}.`,
    evidence: [...one.evidence, ...other.evidence],
    print: [other.server.id, ...pair.map(({ server }) => serverFingerprint(server)), ...cpus].join(' '),
  }
}

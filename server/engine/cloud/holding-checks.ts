import { agrees, amountsOf, amountsText, sumOf } from './amounts'
import {
  holdingEvidence,
  holdingFingerprint,
  instanceObject,
  migrationEvidence,
  migrationFingerprint,
  migrationObject,
  onlyHoldingEvidence,
  serverEvidence,
  serverFingerprint,
} from './evidence'
import {
  type CloudFacts,
  type HeldPart,
  heldBy,
  hostOf,
  hostsOf,
  isComplete,
  isSharing,
  rootOf,
  timeOrZero,
} from './facts'
import { BLANK_DRAFT, type CloudDraft } from './finding'
import { diedWithSource, isEnded, isResting, isSettled, lockOf, progressOf, workOn } from './history'
import type { CloudMigration, CloudProvider, CloudServer } from './snapshot'

// Groups 1, 2, 3, 5 and 6: allocations in Placement against Nova's hosts of instances. Instances with a migration or
// task are not checked here.

/** Allocations of migrations and of consumers without an instance. */
export const heldByOthers = (facts: CloudFacts): readonly CloudDraft[] => [
  ...endedDrafts(facts),
  ...orphanDrafts(facts),
]

/** Nova keeps no allocation for these. */
const WITHOUT_CLAIM = new Set(['building', 'shelved_offloaded', 'deleted', 'soft-delete', 'soft_deleted'])

interface Parts {
  readonly server: CloudServer
  readonly own: CloudProvider
  /** On the tree of its own host, on shared storage, and on all other trees. */
  readonly here: readonly HeldPart[]
  readonly shared: readonly HeldPart[]
  readonly elsewhere: readonly HeldPart[]
}

/** Null when a deciding fact is unknown, or there is nothing to check. */
function partsOf(facts: CloudFacts, server: CloudServer): Parts | null {
  if (server.host === null || WITHOUT_CLAIM.has(server.vmState) || lockOf(facts, server) !== null) return null
  if (!isSettled(facts, server)) return null
  const own = rootOf(facts, server.host, server.node)
  const held = heldBy(facts, server.id)
  if (own === null || held === null) return null
  const here = held.parts.filter(({ provider }) => provider.root === own.id)
  const others = held.parts.filter(({ provider }) => provider.root !== own.id)
  const known = others.map((part) => ({ part, shares: isShared(facts, part) }))
  if (known.some(({ part, shares }) => shares === null && hostOf(facts, part.provider) === null)) return null
  const shared = known.filter(({ shares }) => shares === true).map(({ part }) => part)
  return { server, own, here, shared, elsewhere: others.filter((part) => !shared.includes(part)) }
}

/** Placement lets any provider share, nested ones included; null when traits that decide were not read. */
function isShared({ providers }: CloudFacts, { provider }: HeldPart): boolean | null {
  const [own, tree] = [isSharing(provider), isSharing(providers.get(provider.root) ?? provider)]
  if (own === true || tree === true) return true
  return own === null || tree === null ? null : false
}

export function holdingChecks(facts: CloudFacts, server: CloudServer): readonly CloudDraft[] {
  const parts = partsOf(facts, server)
  if (parts === null) return []
  const swap = parts.here.length === 0 ? holderOfSource(facts, parts) : undefined
  if (swap !== undefined) return [swappedDraft(facts, server, swap)]
  if (parts.here.length === 0) return [missingDraft(facts, parts)]
  if (parts.elsewhere.length > 0) return [twoHostsDraft(facts, parts)]
  return amountDrafts(facts, parts)
}

/** An ended migration that holds its instance's allocations. */
const holderOfSource = (facts: CloudFacts, { server, own }: Parts): CloudMigration | undefined =>
  (facts.migrationsOf.get(server.id) ?? []).find(
    (migration) =>
      workOn(facts, server, migration) === null &&
      (facts.consumers.get(migration.uuid)?.parts ?? []).some(({ provider }) => provider.root === own.id),
  )

const draftOf = (
  facts: CloudFacts,
  server: CloudServer,
  set: Partial<CloudDraft> & Pick<CloudDraft, 'kind' | 'cause'>,
) => ({
  ...BLANK_DRAFT,
  object: instanceObject(server),
  instances: [server.id],
  hosts: server.host === null ? [] : [server.host],
  ...set,
  evidence: [
    serverEvidence(facts, server),
    onlyHoldingEvidence(facts, 'the instance', server.id),
    ...(set.evidence ?? []),
  ],
  print: `${serverFingerprint(server)} ${holdingFingerprint(facts, server.id)} ${set.print ?? ''}`,
})

function swappedDraft(facts: CloudFacts, server: CloudServer, migration: CloudMigration): CloudDraft {
  const ended = isEnded(migration)
    ? `The ${migration.type} ended in ${migration.status}, and its allocations were not swapped back.`
    : diedWithSource(facts, server, migration)
      ? `${server.host} lost its power while the ${migration.type} was ${migration.status}, so its record stays and its allocations were not swapped back.`
      : `Nova stopped working on the ${migration.type} in ${migration.status}, so its record stays and its allocations were not swapped back.`
  return draftOf(facts, server, {
    kind: 'allocations-swapped',
    migrations: [migration.uuid],
    hosts: [server.host, migration.targetHost].filter((host) => host !== null),
    cause: ended,
    evidence: [
      migrationEvidence(facts, migration),
      holdingEvidence(facts, `migration ${migration.id}`, migration.uuid),
    ],
    print: `${migrationFingerprint(migration)} ${holdingFingerprint(facts, migration.uuid)}`,
  })
}

function missingDraft(facts: CloudFacts, { server, elsewhere }: Parts): CloudDraft {
  if (elsewhere.length === 0) {
    const last = (facts.migrationsOf.get(server.id) ?? [])[0]
    const after = last === undefined ? '' : ` after migration ${last.id}`
    return draftOf(facts, server, {
      kind: 'allocation-missing',
      cause: `Somebody deleted the allocation of the instance${after}, as \`nova-manage placement audit --delete\` does while one is in progress; its host looks free.`,
    })
  }
  return draftOf(facts, server, {
    kind: 'allocation-on-other-host',
    cause: `The instance is on ${server.host}, but its allocation is on ${elsewhere.map(({ provider }) => provider.name).join(', ')}.`,
  })
}

function twoHostsDraft(facts: CloudFacts, { server, elsewhere }: Parts): CloudDraft {
  const hosts = elsewhere.map(({ provider }) => hostOf(facts, provider))
  const evacuation = (facts.migrationsOf.get(server.id) ?? []).find(
    ({ type, status, sourceHost }) =>
      type === 'evacuation' && ['done', 'completed'].includes(status) && hosts.includes(sourceHost),
  )
  if (evacuation === undefined || hosts.some((host) => host !== evacuation.sourceHost)) {
    return draftOf(facts, server, {
      kind: 'instance-holds-two-hosts',
      cause: `No operation on the instance is in progress, but it also has allocations from ${elsewhere.map(({ provider }) => provider.name).join(', ')}.`,
    })
  }
  return draftOf(facts, server, {
    kind: 'evacuated-holds-source',
    migrations: [evacuation.uuid],
    hosts: [server.host, evacuation.sourceHost].filter((host) => host !== null),
    cause: `nova-compute on ${evacuation.sourceHost} has not started since the evacuation, or could not remove what the instance held there.`,
    evidence: [migrationEvidence(facts, evacuation)],
    print: migrationFingerprint(evacuation),
  })
}

function amountDrafts(facts: CloudFacts, { server, here, shared }: Parts): readonly CloudDraft[] {
  const wanted = amountsOf(server)
  if (wanted === null) return []
  const held = sumOf([...here, ...shared].map(({ resources }) => resources))
  if (agrees(held, server.flavor, wanted)) return []
  const withDisk = { ...wanted, DISK_GB: (wanted.DISK_GB ?? 0) * 2 }
  const doubled = shared.length > 0 && (wanted.DISK_GB ?? 0) > 0 && agrees(held, server.flavor, withDisk)
  const expected = {
    source: 'nova',
    says: `flavor ${server.flavor.name}: ${amountsText(wanted)}`,
    at: timeOrZero(facts.snapshot.servers),
  } as const
  if (doubled) {
    const cause = `The disk of the instance is counted twice: ${held.DISK_GB} GiB instead of ${wanted.DISK_GB}.`
    return [draftOf(facts, server, { kind: 'shared-storage-doubled', cause, evidence: [expected] })]
  }
  const cause = `The instance holds ${amountsText(held)}, and its flavor ${server.flavor.name} requires ${amountsText(wanted)}.`
  return [draftOf(facts, server, { kind: 'amounts-differ-from-flavor', cause, evidence: [expected] })]
}

/** When an id was looked up in both lists of Nova. */
const listedAt = ({ snapshot: { servers, migrations } }: CloudFacts): number =>
  Math.min(timeOrZero(servers), timeOrZero(migrations))

/** Ended migrations that hold allocations which their instance does not need. */
function endedDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return [...facts.migrations.values()].flatMap((migration) => {
    const held = facts.consumers.get(migration.uuid)
    const server = facts.servers.get(migration.instance)
    if (held === undefined || held.parts.length === 0 || progressOf(facts, migration) !== null) return []
    if (server === undefined && !isComplete(facts.snapshot.servers)) return []
    if (server !== undefined && !isOver(facts, server, migration)) return []
    const ended = isEnded(migration) ? `ended in ${migration.status}` : `stays ${migration.status} forever`
    const why = server === undefined ? 'and its instance was deleted' : 'and Nova did not delete its allocation'
    return [
      {
        ...BLANK_DRAFT,
        kind: 'ended-migration-holds-allocation' as const,
        object: migrationObject(migration),
        instances: [migration.instance],
        migrations: [migration.uuid],
        hosts: hostsOf(facts, held.parts),
        cause: `The ${migration.type} ${ended}, ${why}.`,
        evidence: [
          ...(server === undefined ? [] : [serverEvidence(facts, server)]),
          migrationEvidence(facts, migration),
          holdingEvidence(facts, `migration ${migration.id}`, migration.uuid),
        ],
        locked: server === undefined ? null : lockOf(facts, server),
        print: `${server && serverFingerprint(server)} ${migrationFingerprint(migration)} ${holdingFingerprint(facts, migration.uuid)}`,
      },
    ]
  })
}

/** A confirm that has not ended has its own finding, and a swap is reported with its instance. */
function isOver(facts: CloudFacts, server: CloudServer, migration: CloudMigration): boolean {
  if (isResting(server, migration)) return false
  if (server.vmState === 'resized' && migration.status === 'confirming') return false
  const parts = partsOf(facts, server)
  if (parts === null) return lockOf(facts, server) !== null || WITHOUT_CLAIM.has(server.vmState)
  return !(parts.here.length === 0 && holderOfSource(facts, parts) === migration)
}

/** Types that Nova writes; older versions write none. */
const OF_NOVA = new Set(['INSTANCE', 'MIGRATION', 'unknown'])

/** Unknown consumers, or those not yet known to belong to another client. */
export function unknownConsumers({ snapshot, settings, ...facts }: CloudFacts): readonly string[] {
  if (!isComplete(snapshot.servers) || !isComplete(snapshot.migrations)) return []
  const known = (id: string) => facts.servers.has(id) || facts.migrations.has(id) || settings.otherClients.has(id)
  return [...facts.consumers].filter(([id, { parts }]) => !known(id) && parts.length > 0).map(([id]) => id)
}

function orphanDrafts(facts: CloudFacts): readonly CloudDraft[] {
  return unknownConsumers(facts).flatMap((id) => {
    const answer = facts.snapshot.consumers.get(id)
    // Without its type its owner is unknown.
    if (answer?.isRead !== true) return []
    const type = answer.value.type ?? 'unknown'
    if (!OF_NOVA.has(type) || facts.settings.otherClients.has(type)) return []
    const parts = facts.consumers.get(id)?.parts ?? []
    if (parts.some(({ provider }) => facts.settings.otherClients.has(provider.root))) return []
    return [
      {
        ...BLANK_DRAFT,
        kind: 'orphaned-allocation' as const,
        object: { type: 'consumer' as const, id, name: id },
        hosts: hostsOf(facts, parts),
        cause:
          'Neither an instance nor a migration of this cloud has this uuid, and the connection settings name no other client for it.',
        evidence: [
          { source: 'nova' as const, says: 'no instance and no migration with this uuid', at: listedAt(facts) },
          holdingEvidence(facts, `the consumer (type ${type})`, id),
        ],
        print: holdingFingerprint(facts, id),
      },
    ]
  })
}

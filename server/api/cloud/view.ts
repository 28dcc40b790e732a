import { createHash } from 'node:crypto'
import { amountsText } from '../../engine/cloud/amounts'
import { heldText, powerText } from '../../engine/cloud/evidence'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf, rowsOf } from '../../engine/cloud/facts'
import type { CloudFinding } from '../../engine/cloud/finding'
import { cloudKindRow } from '../../engine/cloud/kinds'
import { novaProgress } from '../../engine/cloud/migration-status'
import type { CloudCall, CloudRepair } from '../../engine/cloud/repair'
import { repairOf } from '../../engine/cloud/repair-of'
import type { CloudHypervisor, CloudMigration, CloudServer, Part } from '../../engine/cloud/snapshot'
import { memoize } from '../../engine/memoize'
import type { Ms, Share } from '../plain'
import type { WatchedCloud } from './clouds'

// A cloud's reports as rows. Terms are as Nova and Placement print them, times by the cloud's own clock. Null means not
// reported.

type CloudState = NonNullable<WatchedCloud['state']>

export interface CloudHostRow {
  /** Nova's name of the host, by which instances name it. */
  readonly name: string
  /** Providers with inventory on it. Ironic has many for one service. */
  readonly providers: readonly string[]
  readonly state: 'up' | 'down' | null
  readonly status: 'enabled' | 'disabled' | null
  readonly forcedDown: boolean
  readonly disabledReason: string | null
  readonly zone: string | null
  readonly type: string | null
  readonly aggregates: readonly string[]
  readonly instances: number
  readonly vcpu: Share | null
  readonly memoryMib: Share | null
  readonly diskGib: Share | null
  readonly findings: number
  readonly reportedAt: Ms | null
}

export interface CloudInstanceRow {
  readonly id: string
  readonly name: string
  readonly host: string | null
  readonly vmState: string
  readonly taskState: string | null
  readonly status: string
  readonly power: string
  readonly flavor: string
  /** Its allocations in Placement; null when its provider was not read. */
  readonly holds: string | null
  /** Host CPUs by guest CPU, from its topology; null where Nova was not queried or does not report it. */
  readonly pins: string | null
  readonly fault: string | null
  readonly locked: boolean
  readonly project: string
  readonly zone: string | null
  readonly findings: number
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export interface CloudMigrationRow {
  /** Its uuid: the consumer of the source's allocation. */
  readonly id: string
  readonly number: number
  readonly instance: string
  /** Null: the instance no longer exists. */
  readonly instanceName: string | null
  readonly type: string
  readonly status: string
  readonly isActive: boolean
  readonly source: string | null
  readonly target: string | null
  /** Bytes of the memory of a running live migration. */
  readonly memory: { readonly remaining: number; readonly total: number } | null
  readonly createdAt: Ms
  readonly updatedAt: Ms | null
}

export interface CloudFindingRow {
  readonly id: string
  readonly kind: string
  readonly severity: 'critical' | 'warning' | 'info'
  readonly title: string
  readonly objectType: string
  readonly objectId: string
  readonly objectName: string
  readonly cause: string
  readonly hosts: readonly string[]
  readonly instances: readonly string[]
  readonly locked: string | null
  readonly evidence: readonly {
    readonly source: 'nova' | 'placement' | 'libvirt'
    readonly says: string
    readonly at: Ms
  }[]
}

/** A finding with what Berth would do. */
export interface CloudFindingDetail extends CloudFindingRow {
  readonly repair: CloudRepairView
  /** The manual remedy when no call repairs it. */
  readonly instead: string
}

export type CloudRepairView =
  | {
      readonly kind: 'calls'
      readonly before: readonly string[]
      readonly after: readonly string[]
      readonly calls: readonly CloudCallView[]
      /** Digest of the calls: the request to apply them repeats it to say which were shown. */
      readonly print: string
    }
  | { readonly kind: 'none'; readonly reason: string }

export interface CloudCallView {
  /** A call to `nova` is an action too, so it needs the approval of one. */
  readonly service: CloudCall['service']
  readonly does: string
  /** `placement POST /allocations (1.28)`. */
  readonly call: string
  readonly body: string
  /** Null: it cannot be undone. */
  readonly undo: string | null
}

/** Look-ups shared by all rows of one state. */
interface RowContext {
  readonly facts: CloudFacts
  readonly findingsOf: ReadonlyMap<string, number>
  readonly aggregatesOf: ReadonlyMap<string, readonly string[]>
}

const known = memoize(({ snapshot, findings }: CloudState): RowContext => {
  const facts = factsOf(snapshot, DEFAULT_SETTINGS)
  const findingsOf = new Map<string, number>()
  for (const { object, hosts, instances } of findings)
    for (const id of new Set([object.id, ...hosts, ...instances])) findingsOf.set(id, (findingsOf.get(id) ?? 0) + 1)
  const aggregatesOf = new Map<string, string[]>()
  for (const { name, hosts } of rowsOf(snapshot.aggregates))
    for (const host of hosts) aggregatesOf.set(host, [...(aggregatesOf.get(host) ?? []), name])
  return { facts, findingsOf, aggregatesOf }
})

/** The look-up tables of a state, built once. */
export const factsKnown = (state: CloudState): CloudFacts => known(state).facts

/** How many findings name an instance, a host or another object. */
export const findingsAbout = (state: CloudState, id: string): number => known(state).findingsOf.get(id) ?? 0

export const hostRows = memoize((state: CloudState): readonly CloudHostRow[] => {
  const { facts } = known(state)
  const names = new Set([...facts.services.keys(), ...facts.nodesOf.keys()])
  return [...names].map((name) => hostRow(state, name))
})

function hostRow(state: CloudState, name: string): CloudHostRow {
  const { facts, findingsOf, aggregatesOf } = known(state)
  const service = facts.services.get(name)
  const nodes = facts.nodesOf.get(name) ?? []
  return {
    name,
    providers: nodes.map(({ id }) => id),
    state: service?.state ?? null,
    status: service?.status ?? null,
    forcedDown: service?.forcedDown ?? false,
    disabledReason: service?.disabledReason ?? null,
    zone: service?.zone ?? null,
    type: nodes[0]?.type ?? null,
    aggregates: aggregatesOf.get(name) ?? [],
    instances: facts.serversOn.get(name)?.length ?? 0,
    vcpu: shareOf(facts, nodes, 'VCPU'),
    memoryMib: shareOf(facts, nodes, 'MEMORY_MB'),
    diskGib: shareOf(facts, nodes, 'DISK_GB'),
    findings: findingsOf.get(name) ?? 0,
    reportedAt: service?.updatedAt ?? null,
  }
}

/** Over all nodes of a host; null where one of them was not read, or none has the class. */
function shareOf({ providers }: CloudFacts, nodes: readonly CloudHypervisor[], resourceClass: string): Share | null {
  let used = 0
  let total = 0
  for (const { id } of nodes) {
    const provider = providers.get(id)
    if (!provider?.inventories.isRead || !provider.allocations.isRead) return null
    const inventory = provider.inventories.value[resourceClass]
    total +=
      inventory === undefined ? 0 : ((inventory.total - inventory.reserved) * inventory.allocationRatioMilli) / 1_000
    for (const { resources } of provider.allocations.value.values()) used += resources[resourceClass] ?? 0
  }
  return total === 0 ? null : { used, total: Math.floor(total) }
}

export const instanceRows = memoize((state: CloudState): readonly CloudInstanceRow[] => {
  const { facts, findingsOf } = known(state)
  return rowsOf(state.snapshot.servers).map((server) => ({
    ...{ id: server.id, name: server.name, host: server.host, project: server.project, zone: server.zone },
    ...{ vmState: server.vmState, taskState: server.taskState, status: server.status, locked: server.locked },
    power: powerText(server.powerState),
    flavor: server.flavor.name,
    holds: holdsOf(facts, server),
    pins: pinsOf(state.snapshot.topologies.get(server.id)),
    fault: server.fault?.message ?? null,
    findings: findingsOf.get(server.id) ?? 0,
    ...{ createdAt: server.createdAt, updatedAt: server.updatedAt },
  }))
})

function holdsOf(facts: CloudFacts, { id }: CloudServer): string | null {
  const held = facts.consumers.get(id)
  if (held === undefined) return facts.allOf.complete ? heldText([]) : null
  const [only, ...others] = held.parts
  return only !== undefined && others.length === 0 ? amountsText(only.resources) : heldText(held.parts)
}

function pinsOf(
  topology: CloudState['snapshot']['topologies'] extends ReadonlyMap<string, infer T> ? T | undefined : never,
) {
  if (topology?.isRead !== true) return null
  const pins = topology.value.nodes.flatMap(({ pins: each }) => (each === undefined ? [] : [...each]))
  return pins.length === 0 ? null : pins.map(([vcpu, host]) => `${vcpu} to ${host}`).join(', ')
}

export const migrationRows = memoize((state: CloudState): readonly CloudMigrationRow[] => {
  const { facts } = known(state)
  return rowsOf(state.snapshot.migrations).map((migration: CloudMigration) => ({
    ...{ id: migration.uuid, number: migration.id, instance: migration.instance },
    instanceName: facts.servers.get(migration.instance)?.name ?? null,
    ...{ type: migration.type, status: migration.status, source: migration.sourceHost, target: migration.targetHost },
    isActive: novaProgress(migration).outcome === null,
    memory: migration.job
      ? { remaining: migration.job.memoryRemainingBytes, total: migration.job.memoryTotalBytes }
      : null,
    ...{ createdAt: migration.createdAt, updatedAt: migration.updatedAt },
  }))
})

export const findingRows = memoize((state: CloudState): readonly CloudFindingRow[] =>
  state.findings.map((finding) => ({
    id: idOf(finding),
    ...{ kind: finding.kind, severity: finding.severity, title: finding.title, cause: finding.cause },
    ...{ objectType: finding.object.type, objectId: finding.object.id, objectName: finding.object.name },
    ...{ hosts: finding.hosts, instances: finding.instances, locked: finding.locked, evidence: finding.evidence },
  })),
)

const idOf = ({ kind, object }: CloudFinding) => `${kind} ${object.id}`

export function findingDetail(state: CloudState, id: string): CloudFindingDetail | null {
  const finding = state.findings.find((each) => idOf(each) === id)
  const row = findingRows(state).find((each) => each.id === id)
  if (finding === undefined || row === undefined) return null
  return {
    ...row,
    repair: repairView(repairOf(known(state).facts, finding)),
    instead: cloudKindRow(finding.kind).instead,
  }
}

/** The finding that an id names, for a plan. */
export const findingsNamed = ({ findings }: CloudState, ids: readonly string[] | undefined): readonly CloudFinding[] =>
  ids === undefined ? findings : findings.filter((finding) => ids.includes(idOf(finding)))

const repairView = (repair: CloudRepair): CloudRepairView =>
  repair.kind === 'none'
    ? repair
    : {
        ...{ kind: 'calls', before: repair.before, after: repair.after, calls: repair.calls.map(callView) },
        print: callsFingerprint(repair.calls),
      }

export const callsFingerprint = (calls: readonly CloudCall[]): string =>
  createHash('sha256').update(JSON.stringify(calls)).digest('base64url')

/** The present calls of a finding; null when they differ from those shown. */
export function callsShown(state: CloudState, id: string, print: string): readonly CloudCall[] | null {
  const finding = state.findings.find((each) => idOf(each) === id)
  const repair = finding && repairOf(known(state).facts, finding)
  return repair?.kind === 'calls' && callsFingerprint(repair.calls) === print ? repair.calls : null
}

export const callView = ({ service, method, path, microversion, body, does, undo }: CloudCall): CloudCallView => ({
  service,
  does,
  call: `${service} ${method} ${path} (${microversion})`,
  body: body === null ? '' : JSON.stringify(body, null, 2),
  undo: undo?.does ?? null,
})

/** Parts of the snapshot that were not reported or may lack rows, each with the reason. */
export function notRead({ snapshot }: CloudState): readonly string[] {
  const { services, hypervisors, aggregates, zones, groups, flavors, servers, migrations, providers } = snapshot
  const parts = { services, hypervisors, aggregates, zones, groups, flavors, instances: servers, migrations, providers }
  return [
    ...Object.entries(parts).flatMap(([name, part]: [string, Part<unknown>]) => {
      if (!part.isRead) return [`${name}: ${part.why}`]
      return part.complete ? [] : [`${name}: rows may be missing, for example because a cell is down`]
    }),
    ...rowsOf(providers).flatMap(({ name, allocations, inventories }) =>
      [allocations, inventories].flatMap((part) => (part.isRead ? [] : [`provider ${name}: ${part.why}`])),
    ),
  ]
}

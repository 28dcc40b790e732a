import type {
  CloudAggregate,
  CloudFlavor,
  CloudGroup,
  CloudHypervisor,
  CloudJob,
  CloudMigration,
  CloudServer,
  CloudService,
  CloudTopology,
  CloudZone,
} from '../../engine/cloud/snapshot'
import {
  type NovaAggregate,
  type NovaFlavor,
  type NovaHypervisor,
  type NovaLiveJob,
  type NovaMigration,
  type NovaServer,
  type NovaServerGroup,
  type NovaService,
  type NovaTopology,
  type NovaZone,
  novaTime,
} from './nova'

// Converts Nova's answers to the engine's types. A missing field that the engine needs makes the part unknown: a
// default would turn "unknown" into a fact.

/** The answer lacks what the part needs, because of missing rights or an old version. */
export class MissingFieldError extends Error {
  constructor(field: string) {
    super(`Nova does not tell this account "${field}": it needs the admin role, or a Nova with microversion 2.53`)
    this.name = 'MissingFieldError'
  }
}

function need<T>(value: T | null | undefined, field: string): T {
  if (value === null || value === undefined) throw new MissingFieldError(field)
  return value
}

/** The field must be present, but may be null: null is an answer. */
function requireField<T>(value: T | null | undefined, field: string): T | null {
  if (value === undefined) throw new MissingFieldError(field)
  return value
}

const time = (written: string | null | undefined, field: string) => need(novaTime(written), field)

export function serverOf(row: NovaServer): CloudServer {
  return {
    id: row.id,
    name: row.name ?? '',
    project: row.tenant_id ?? '',
    user: row.user_id ?? '',
    host: requireField(row['OS-EXT-SRV-ATTR:host'], 'OS-EXT-SRV-ATTR:host'),
    node: requireField(row['OS-EXT-SRV-ATTR:hypervisor_hostname'], 'OS-EXT-SRV-ATTR:hypervisor_hostname'),
    vmState: need(row['OS-EXT-STS:vm_state'], 'OS-EXT-STS:vm_state'),
    taskState: requireField(row['OS-EXT-STS:task_state'], 'OS-EXT-STS:task_state'),
    powerState: need(row['OS-EXT-STS:power_state'], 'OS-EXT-STS:power_state'),
    status: need(row.status, 'status'),
    flavor: embeddedFlavorOf(row),
    volumeBacked: row.image === '',
    image: imageOf(row.image),
    createdAt: time(row.created, 'created'),
    updatedAt: time(row.updated, 'updated'),
    zone: row['OS-EXT-AZ:availability_zone'] ?? null,
    locked: row.locked ?? false,
    fault: row.fault ? { message: row.fault.message ?? '' } : null,
  }
}

/** Nova sends an object with the id, or an empty string if the root disk is a volume. */
const imageOf = (image: unknown): string | null =>
  typeof image === 'object' && image !== null && 'id' in image && typeof image.id === 'string' ? image.id : null

function embeddedFlavorOf({ flavor }: NovaServer): CloudFlavor {
  return {
    name: need(flavor?.original_name, 'flavor.original_name'),
    vcpus: need(flavor?.vcpus, 'flavor.vcpus'),
    memoryMib: need(flavor?.ram, 'flavor.ram'),
    rootGib: need(flavor?.disk, 'flavor.disk'),
    ephemeralGib: flavor?.ephemeral ?? 0,
    swapMib: Number(flavor?.swap ?? 0),
    ...(flavor?.extra_specs && { extraSpecs: flavor.extra_specs }),
  }
}

export const flavorOf = (row: NovaFlavor): CloudFlavor => ({
  id: row.id,
  name: row.name ?? row.id,
  vcpus: need(row.vcpus, 'vcpus'),
  memoryMib: need(row.ram, 'ram'),
  rootGib: need(row.disk, 'disk'),
  ephemeralGib: row['OS-FLV-EXT-DATA:ephemeral'] ?? 0,
  swapMib: Number(row.swap || 0),
  ...(row.extra_specs && { extraSpecs: row.extra_specs }),
})

export const migrationOf = (row: NovaMigration): CloudMigration => ({
  id: row.id,
  uuid: need(row.uuid, 'uuid'),
  type: need(row.migration_type, 'migration_type'),
  status: need(row.status, 'status'),
  instance: need(row.instance_uuid, 'instance_uuid'),
  sourceHost: row.source_compute ?? null,
  targetHost: row.dest_compute ?? null,
  createdAt: time(row.created_at, 'created_at'),
  updatedAt: novaTime(row.updated_at),
})

/** Null until Nova has read the job from the hypervisor. */
export function jobOf(row: NovaLiveJob): CloudJob | null {
  if (typeof row.memory_total_bytes !== 'number') return null
  return {
    memoryTotalBytes: row.memory_total_bytes,
    memoryProcessedBytes: row.memory_processed_bytes ?? 0,
    memoryRemainingBytes: row.memory_remaining_bytes ?? 0,
    diskTotalBytes: row.disk_total_bytes ?? 0,
    diskProcessedBytes: row.disk_processed_bytes ?? 0,
    diskRemainingBytes: row.disk_remaining_bytes ?? 0,
  }
}

export const hypervisorOf = (row: NovaHypervisor): CloudHypervisor => ({
  id: String(row.id),
  node: need(row.hypervisor_hostname, 'hypervisor_hostname'),
  host: need(row.service?.host, 'service.host'),
  type: row.hypervisor_type ?? '',
  state: row.state === 'up' ? 'up' : 'down',
  address: row.host_ip ?? null,
  ...(typeof row.hypervisor_version === 'number' && { version: row.hypervisor_version }),
  ...(typeof row.vcpus === 'number' && { vcpus: row.vcpus }),
  ...(typeof row.memory_mb === 'number' && { memoryMib: row.memory_mb }),
  ...(typeof row.local_gb === 'number' && { diskGib: row.local_gb }),
})

export const serviceOf = (row: NovaService): CloudService => ({
  id: String(row.id),
  binary: need(row.binary, 'binary'),
  host: need(row.host, 'host'),
  zone: row.zone ?? '',
  status: need(row.status, 'status') === 'disabled' ? 'disabled' : 'enabled',
  disabledReason: row.disabled_reason ?? null,
  state: need(row.state, 'state') === 'up' ? 'up' : 'down',
  forcedDown: need(row.forced_down, 'forced_down'),
  updatedAt: novaTime(row.updated_at),
})

export const aggregateOf = (row: NovaAggregate): CloudAggregate => ({
  ...{ id: row.id, uuid: need(row.uuid, 'uuid'), name: row.name ?? '', hosts: row.hosts ?? [] },
  zone: row.availability_zone ?? null,
})

export const zoneOf = (row: NovaZone): CloudZone => ({
  ...{ name: row.zoneName, hosts: Object.keys(row.hosts ?? {}) },
})

export const groupOf = (row: NovaServerGroup): CloudGroup => ({
  ...{ id: row.id, name: row.name ?? '', project: row.project_id ?? '' },
  policy: need(row.policy ?? row.policies?.[0], 'policy'),
  maxPerHost: row.rules?.max_server_per_host ?? null,
  members: row.members ?? [],
})

export const topologyOf = (row: NovaTopology): CloudTopology => ({
  nodes: row.nodes.map(({ cpu_pinning: pins }) => ({
    ...(pins && { pins: new Map(Object.entries(pins).map(([vcpu, host]) => [Number(vcpu), host])) }),
  })),
})

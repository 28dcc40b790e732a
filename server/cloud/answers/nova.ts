import { z } from 'zod'

// The parts of Nova's answers that Berth reads. Only ids are required: what an older or restricted Nova omits is
// unknown. https://docs.openstack.org/api-ref/compute/

const text = z.string().nullish()
const number = z.number().nullish()
const flag = z.boolean().nullish()
const size = z.union([z.number(), z.string()]).nullish()

/** Nova writes its times in UTC, some of them without a zone. */
export function novaTime(written: string | null | undefined): number | null {
  if (!written) return null
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`)
  return Number.isNaN(at) ? null : at
}

export const serverSchema = z.looseObject({
  id: z.string(),
  name: text,
  status: text,
  tenant_id: text,
  user_id: text,
  image: z.unknown().optional(),
  created: text,
  updated: text,
  locked: flag,
  flavor: z
    .looseObject({
      original_name: text,
      ...{ vcpus: number, ram: number, disk: number, ephemeral: number, swap: size },
      extra_specs: z.record(z.string(), z.string()).nullish(),
    })
    .nullish(),
  fault: z.looseObject({ message: text }).nullish(),
  'OS-EXT-SRV-ATTR:host': text,
  'OS-EXT-SRV-ATTR:hypervisor_hostname': text,
  'OS-EXT-STS:vm_state': text,
  'OS-EXT-STS:task_state': text,
  'OS-EXT-STS:power_state': number,
  'OS-EXT-AZ:availability_zone': text,
})
export type NovaServer = z.infer<typeof serverSchema>

export const migrationSchema = z.looseObject({
  id: z.number(),
  uuid: text,
  instance_uuid: text,
  status: text,
  migration_type: text,
  ...{ source_compute: text, dest_compute: text },
  ...{ created_at: text, updated_at: text },
})
export type NovaMigration = z.infer<typeof migrationSchema>

export const hypervisorSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  hypervisor_hostname: text,
  ...{ state: text, hypervisor_type: text, hypervisor_version: number, host_ip: text },
  service: z.looseObject({ host: text }).nullish(),
  ...{ vcpus: number, memory_mb: number, local_gb: number },
})
export type NovaHypervisor = z.infer<typeof hypervisorSchema>

export const serviceSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  ...{ binary: text, host: text, zone: text, status: text, state: text, disabled_reason: text, updated_at: text },
  forced_down: flag,
})
export type NovaService = z.infer<typeof serviceSchema>

export const aggregateSchema = z.looseObject({
  id: z.number(),
  uuid: text,
  name: text,
  availability_zone: text,
  hosts: z.array(z.string()).nullish(),
})
export type NovaAggregate = z.infer<typeof aggregateSchema>

export const zoneSchema = z.looseObject({
  zoneName: z.string(),
  hosts: z.record(z.string(), z.unknown()).nullish(),
})
export type NovaZone = z.infer<typeof zoneSchema>

export const serverGroupSchema = z.looseObject({
  id: z.string(),
  name: text,
  /** From 2.64; `policies` before. */
  policy: text,
  policies: z.array(z.string()).nullish(),
  rules: z.looseObject({ max_server_per_host: number }).nullish(),
  members: z.array(z.string()).nullish(),
  project_id: text,
})
export type NovaServerGroup = z.infer<typeof serverGroupSchema>

export const flavorSchema = z.looseObject({
  id: z.string(),
  name: text,
  ...{ vcpus: number, ram: number, disk: number, swap: size },
  'OS-FLV-EXT-DATA:ephemeral': number,
  extra_specs: z.record(z.string(), z.string()).nullish(),
})
export type NovaFlavor = z.infer<typeof flavorSchema>

/** `GET /servers/{id}/migrations`: only while a live migration runs. */
export const liveJobSchema = z.looseObject({
  id: z.number(),
  ...{ memory_total_bytes: number, memory_processed_bytes: number, memory_remaining_bytes: number },
  ...{ disk_total_bytes: number, disk_processed_bytes: number, disk_remaining_bytes: number },
})
export type NovaLiveJob = z.infer<typeof liveJobSchema>

export const topologySchema = z.looseObject({
  nodes: z.array(z.looseObject({ cpu_pinning: z.record(z.string(), z.number()).nullish() })),
})
export type NovaTopology = z.infer<typeof topologySchema>

/** An event of `GET /servers/{id}/os-instance-actions/{request}`. `traceback` for administrators, `details` from 2.84. */
export const actionEventSchema = z.looseObject({ result: text, traceback: text, details: text })

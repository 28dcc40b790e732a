import type { CloudDriftRow } from '@/server/api/cloud/drift'
import type { CloudFindingRow, CloudHostRow, CloudInstanceRow, CloudMigrationRow } from '@/server/api/cloud/view'
import type { MemoryList } from './list'

// Lists of a cloud's reports, in the words of Nova and Placement.

const YES_NO = ['yes', 'no']
const yesNo = (yes: boolean) => [yes ? 'yes' : 'no']

export const CLOUD_HOST_LIST = {
  columns: {
    name: { head: 'Host', sort: (row) => row.name },
    state: { head: 'State', sort: (row) => row.state ?? '' },
    status: { head: 'Status', sort: (row) => row.status ?? '' },
    zone: { head: 'Zone', sort: (row) => row.zone ?? '' },
    instances: { head: 'Instances', sort: (row) => row.instances },
    findings: { head: 'Findings', sort: (row) => row.findings },
    vcpu: { head: 'VCPU', sort: (row) => row.vcpu?.used ?? 0 },
    memory: { head: 'Memory', sort: (row) => row.memoryMib?.used ?? 0 },
    disk: { head: 'Disk', sort: (row) => row.diskGib?.used ?? 0 },
    type: { head: 'Hypervisor', sort: (row) => row.type ?? '' },
    aggregates: { head: 'Aggregates' },
    reported: { head: 'Last report', sort: (row) => row.reportedAt ?? 0 },
  },
  filters: {
    host: { hint: 'name of the host; cmp* for many', says: (row) => [row.name] },
    state: { hint: 'of nova-compute', values: ['up', 'down'], says: (row) => [row.state] },
    status: { hint: 'enabled or disabled', values: ['enabled', 'disabled'], says: (row) => [row.status] },
    zone: { hint: 'availability zone', says: (row) => [row.zone] },
    aggregate: { hint: 'name of an aggregate', says: (row) => row.aggregates },
    findings: { hint: 'whether there are findings', values: YES_NO, says: (row) => yesNo(row.findings > 0) },
  },
  text: (row) => [row.name, row.zone, row.disabledReason, ...row.aggregates],
  ids: (row) => row.providers,
} as const satisfies MemoryList<CloudHostRow>

export const CLOUD_INSTANCE_LIST = {
  columns: {
    name: { head: 'Instance', sort: (row) => row.name },
    state: { head: 'VM state', sort: (row) => row.vmState },
    task: { head: 'Task', sort: (row) => row.taskState ?? '' },
    power: { head: 'Power', sort: (row) => row.power },
    host: { head: 'Host', sort: (row) => row.host ?? '' },
    flavor: { head: 'Flavor', sort: (row) => row.flavor },
    findings: { head: 'Findings', sort: (row) => row.findings },
    holds: { head: 'Allocations' },
    pins: { head: 'Pinned CPUs' },
    project: { head: 'Project', sort: (row) => row.project },
    zone: { head: 'Zone', sort: (row) => row.zone ?? '' },
    updated: { head: 'Updated', sort: (row) => row.updatedAt },
    created: { head: 'Created', sort: (row) => row.createdAt },
  },
  filters: {
    instance: { hint: 'name of the instance; web-* for many', aliases: ['name'], says: (row) => [row.name] },
    host: { hint: 'name of its host', says: (row) => [row.host] },
    state: { hint: 'vm_state, such as active or error', says: (row) => [row.vmState] },
    task: { hint: 'task_state, such as migrating', says: (row) => [row.taskState] },
    flavor: { hint: 'name of the flavor', says: (row) => [row.flavor] },
    project: { hint: 'id of the project', says: (row) => [row.project] },
    zone: { hint: 'availability zone', says: (row) => [row.zone] },
    findings: { hint: 'whether there are findings', values: YES_NO, says: (row) => yesNo(row.findings > 0) },
  },
  text: (row) => [row.name, row.host, row.flavor],
  ids: (row) => [row.id, row.project],
} as const satisfies MemoryList<CloudInstanceRow>

export const CLOUD_MIGRATION_LIST = {
  columns: {
    number: { head: 'Migration', sort: (row) => row.number },
    instance: { head: 'Instance', sort: (row) => row.instanceName ?? row.instance },
    type: { head: 'Type', sort: (row) => row.type },
    status: { head: 'Status', sort: (row) => row.status },
    source: { head: 'Source', sort: (row) => row.source ?? '' },
    target: { head: 'Destination', sort: (row) => row.target ?? '' },
    copied: { head: 'Memory left' },
    created: { head: 'Created', sort: (row) => row.createdAt },
    updated: { head: 'Updated', sort: (row) => row.updatedAt ?? 0 },
  },
  filters: {
    instance: { hint: 'name of the instance', says: (row) => [row.instanceName] },
    type: { hint: 'live-migration, migration, resize or evacuation', says: (row) => [row.type] },
    status: { hint: 'status, such as running or error', says: (row) => [row.status] },
    active: { hint: 'whether it has not ended', values: YES_NO, says: (row) => yesNo(row.isActive) },
    host: { hint: 'source or destination', says: (row) => [row.source, row.target] },
  },
  text: (row) => [row.instanceName, row.status, row.source, row.target],
  ids: (row) => [row.id, row.instance],
} as const satisfies MemoryList<CloudMigrationRow>

export const CLOUD_FINDING_LIST = {
  columns: {
    severity: { head: 'Severity', sort: (row) => ['critical', 'warning', 'info'].indexOf(row.severity) },
    title: { head: 'Finding', sort: (row) => row.title },
    object: { head: 'About', sort: (row) => row.objectName },
    hosts: { head: 'Hosts', sort: (row) => row.hosts[0] ?? '' },
    cause: { head: 'Cause' },
    repair: { head: 'Repair', sort: (row) => (row.locked === null ? 0 : 1) },
  },
  filters: {
    kind: { hint: 'kind of finding', says: (row) => [row.kind] },
    severity: {
      hint: 'critical, warning or info',
      values: ['critical', 'warning', 'info'],
      says: (row) => [row.severity],
    },
    host: { hint: 'name of a host', says: (row) => row.hosts },
    about: { hint: 'name of an instance, host, provider or group', says: (row) => [row.objectName] },
    locked: { hint: 'whether it is in progress', values: YES_NO, says: (row) => yesNo(row.locked !== null) },
  },
  text: (row) => [row.title, row.objectName, row.cause, ...row.hosts],
  ids: (row) => [row.objectId, ...row.instances],
} as const satisfies MemoryList<CloudFindingRow>

export const CLOUD_DRIFT_LIST = {
  columns: {
    instance: { head: 'Instance', sort: (row) => row.name },
    agree: { head: 'Agree', sort: (row) => ['differ', 'found', 'unknown', 'agree'].indexOf(row.agreement) },
    nova: { head: 'Nova', sort: (row) => row.nova },
    placement: { head: 'Placement', sort: (row) => row.placement },
    libvirt: { head: 'libvirt', sort: (row) => row.libvirt },
    findings: { head: 'Findings', sort: (row) => row.findings },
    novaAt: { head: 'Nova, read', sort: (row) => row.novaAt ?? 0 },
    placementAt: { head: 'Placement, read', sort: (row) => row.placementAt ?? 0 },
    libvirtAt: { head: 'libvirt, read', sort: (row) => row.libvirtAt ?? 0 },
  },
  filters: {
    instance: { hint: 'name of the instance or domain', says: (row) => [row.name] },
    host: { hint: 'a host that any of the three names', says: (row) => row.hosts },
    agree: {
      hint: 'agree, differ, found (a finding is open) or unknown',
      values: ['differ', 'found', 'unknown', 'agree'],
      says: (row) => [row.agreement],
    },
    witnessed: { hint: 'whether libvirt reads a host of it', values: YES_NO, says: (row) => yesNo(row.isWitnessed) },
    known: { hint: 'whether Nova has such an instance', values: YES_NO, says: (row) => yesNo(row.isInstance) },
    findings: { hint: 'whether there are findings', values: YES_NO, says: (row) => yesNo(row.findings > 0) },
  },
  text: (row) => [row.name, row.nova, row.placement, row.libvirt],
  ids: (row) => [row.id],
} as const satisfies MemoryList<CloudDriftRow>

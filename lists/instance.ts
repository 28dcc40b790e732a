import { VM_STATES } from '@/server/engine/change'
import { POWER_STATES } from '@/server/engine/power/state'
import type { DatabaseList, FieldOf, SortOf } from './list'

export const INSTANCE_LIST = {
  columns: {
    name: { head: 'Instance', sort: true },
    vmState: { head: 'State', sort: true },
    power: { head: 'Power', sort: true },
    host: { head: 'Host', sort: true },
    flavor: { head: 'Flavor', sort: true },
    vcpus: { head: 'vCPUs', sort: true },
    pinned: { head: 'Pinned' },
    nodes: { head: 'NUMA nodes' },
    memory: { head: 'Memory', sort: true },
    devices: { head: 'Devices' },
    migration: { head: 'Migration' },
    project: { head: 'Project', sort: true },
    disk: { head: 'Disk' },
    zone: { head: 'Zone' },
    image: { head: 'Image' },
    group: { head: 'Group' },
  },
  filters: {
    name: { hint: 'name of the instance; web-* for many', aliases: ['instance'] },
    state: { hint: 'state, such as active or stopped', values: VM_STATES },
    power: { hint: 'power state', values: POWER_STATES },
    host: { hint: 'name of its host' },
    zone: { hint: 'availability zone' },
    flavor: { hint: 'flavor' },
    image: { hint: 'image' },
    project: { hint: 'project' },
    group: { hint: 'server group' },
    migrating: { hint: 'whether it is migrating', values: ['yes', 'no'] },
  },
} as const satisfies DatabaseList

export type InstanceSort = SortOf<typeof INSTANCE_LIST>
export type InstanceField = FieldOf<typeof INSTANCE_LIST>

import type { Flavor, PciAlias } from '../engine/demand'
import type { Workload } from './fleet-csv'

// The instances of the demo fleet: flavors that use every kind of resource, and instances named after their roles.

/** `4 × 8` is 4 vCPUs and 8 GiB; the disk grows with the CPUs. */
const flavor = (name: string, size: `${number} × ${number}`, extraSpecs: Record<string, string> = {}): Flavor => {
  const [vcpus, memoryGib] = size.split(' × ').map(Number) as [number, number]
  return { name, vcpus, memoryMib: memoryGib * 1024, diskGib: vcpus * 10, extraSpecs }
}

const DEDICATED = { 'hw:cpu_policy': 'dedicated' }

export const DEMO_FLAVORS: readonly Flavor[] = [
  flavor('s1.small', '1 × 2'),
  flavor('s1.medium', '2 × 4'),
  flavor('s1.large', '4 × 8'),
  flavor('s1.xlarge', '8 × 16'),
  flavor('d1.large', '4 × 8', DEDICATED),
  flavor('d1.xlarge', '8 × 16', { ...DEDICATED, 'hw:cpu_thread_policy': 'prefer' }),
  flavor('d1.threads', '4 × 8', { ...DEDICATED, 'hw:cpu_thread_policy': 'require' }),
  flavor('d2.numa2', '8 × 16', { ...DEDICATED, 'hw:numa_nodes': '2', 'hw:mem_page_size': '2048' }),
  flavor('h1.large', '4 × 8', { ...DEDICATED, 'hw:mem_page_size': '1048576' }),
  flavor('x1.mixed', '6 × 12', { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-5' }),
  flavor('r1.realtime', '4 × 8', {
    ...DEDICATED,
    'hw:cpu_realtime': 'yes',
    'hw:cpu_realtime_mask': '^0',
    'hw:emulator_threads_policy': 'isolate',
    'hw:mem_page_size': '2048',
  }),
  flavor('n1.vf', '4 × 8', { ...DEDICATED, 'hw:mem_page_size': '2048', 'pci_passthrough:alias': 'vf-a:1' }),
  flavor('n2.vf', '8 × 16', {
    ...DEDICATED,
    'hw:mem_page_size': '2048',
    'hw:numa_nodes': '2',
    'pci_passthrough:alias': 'vf-a:1,vf-b:1',
  }),
  flavor('n9.pf', '8 × 16', { ...DEDICATED, 'pci_passthrough:alias': 'pf:1' }),
  flavor('g1.vgpu', '4 × 16', { 'resources:VGPU': '1' }),
  flavor('g1.gpu', '8 × 32', { ...DEDICATED, 'pci_passthrough:alias': 'gpu:1' }),
  flavor('p1.pmem', '4 × 8', { 'hw:pmem': '16GB' }),
]

const DEMO_IMAGES: readonly Workload['image'][] = [
  { name: 'debian-12', properties: {} },
  { name: 'debian-13', properties: {} },
  { name: 'ubuntu-24.04-pinned', properties: { hw_cpu_policy: 'dedicated' } },
  { name: 'rhel-10', properties: { hw_vif_model: 'virtio' } },
]

const VF = { vendor_id: '8086', product_id: '1889', dev_type: 'type-VF' }

export const DEMO_ALIASES: readonly PciAlias[] = [
  { name: 'vf-a', spec: [{ ...VF, physical_network: 'physnet-a' }], numaPolicy: 'preferred' },
  { name: 'vf-b', spec: [{ ...VF, physical_network: 'physnet-b' }], numaPolicy: 'preferred' },
  { name: 'pf', spec: [{ vendor_id: '8086', product_id: '1592', dev_type: 'type-PF' }], numaPolicy: 'legacy' },
  { name: 'gpu', spec: [{ vendor_id: '10de', product_id: '25b6' }], numaPolicy: 'required' },
]

/** A role's name, its flavor, and its share of a hundred instances. */
const ROLES: readonly (readonly [role: string, flavor: string, share: number])[] = [
  ['web', 's1.medium', 18],
  ['api', 's1.large', 14],
  ['cache', 's1.small', 12],
  ['build', 's1.xlarge', 8],
  ['db', 'd1.large', 10],
  ['queue', 'd1.threads', 5],
  ['search', 'd1.xlarge', 5],
  ['sap', 'd2.numa2', 5],
  ['dpdk', 'h1.large', 3],
  ['media', 'x1.mixed', 4],
  ['ran', 'r1.realtime', 2],
  ['upf', 'n1.vf', 4],
  ['amf', 'n2.vf', 2],
  ['desk', 'g1.vgpu', 4],
  ['train', 'g1.gpu', 1],
  ['ledger', 'p1.pmem', 2],
]

/** `count` instances in an order that mixes the roles; the same number gives the same instances. */
export function demoInstances(count: number): readonly Workload[] {
  const total = ROLES.reduce((sum, [, , share]) => sum + share, 0)
  const due = ROLES.map(() => 0)
  const made = ROLES.map(() => 0)
  return Array.from({ length: count }, () => {
    // The role furthest behind its share is next, so that every prefix of the list has the mix.
    for (const [at, [, , share]] of ROLES.entries()) due[at] = (due[at] as number) + share
    const next = due.indexOf(Math.max(...due))
    due[next] = (due[next] as number) - total
    made[next] = (made[next] as number) + 1
    const [role, flavorName] = ROLES[next] as (typeof ROLES)[number]
    return {
      name: `${role}-${String(made[next]).padStart(2, '0')}`,
      flavor: DEMO_FLAVORS.find((one) => one.name === flavorName) as Flavor,
      image: DEMO_IMAGES[0] as Workload['image'],
    }
  })
}

import type { CatalogKind } from '@/server/api/catalog/router'
import type { GroupPolicy, PciAlias } from '@/server/engine/demand'
import { plural } from '../ui/format'

export const TABS = ['flavors', 'groups', 'aliases'] as const

export const policyWords: Readonly<Record<GroupPolicy, { readonly label: string; readonly detail: string }>> = {
  affinity: { label: 'affinity', detail: 'All members on one host' },
  'anti-affinity': { label: 'anti-affinity', detail: 'Members on different hosts' },
  'soft-affinity': { label: 'soft-affinity', detail: 'Members on one host if possible' },
  'soft-anti-affinity': { label: 'soft-anti-affinity', detail: 'Members on different hosts if possible' },
}

/** Words for the NUMA policy of an alias; none is legacy. */
export const numaWords: Readonly<Record<NonNullable<PciAlias['numaPolicy']>, string>> = {
  required: 'On the NUMA nodes of the instance',
  preferred: 'On the NUMA nodes of the instance if one is free',
  legacy: 'On the NUMA nodes of the instance, or without a known NUMA node',
  socket: 'On the sockets of the instance',
}

/** Extra specs that flavors of pinned, large or accelerated instances usually have, in their written form. */
export const specHints = {
  'hw:cpu_policy=dedicated': 'a dedicated CPU for each vCPU',
  'hw:cpu_thread_policy=require': 'on sibling threads of the same cores',
  'hw:numa_nodes=2': 'two guest NUMA nodes',
  'hw:mem_page_size=large': 'memory in huge pages of any size',
  'hw:emulator_threads_policy=share': 'emulator threads on the shared CPUs',
  'hw:pci_numa_affinity_policy=preferred': 'devices near the CPUs where one is free',
  'pci_passthrough:alias=ALIAS:1': 'one device of a PCI alias',
  'resources:VGPU=1': 'one vGPU',
} as const

interface KindWords {
  readonly noun: string
  readonly create: string
  readonly change: (name: string) => string
  readonly remove: (name: string) => string
  readonly created: (name: string) => string
  readonly changed: (name: string) => string
  readonly removed: (name: string) => string
}

const kind = (noun: string, Noun: string): KindWords => ({
  noun,
  create: `Create ${noun}`,
  change: (name) => `Change ${name}`,
  remove: (name) => `Delete ${name}`,
  created: (name) => `${Noun} ${name} created`,
  changed: (name) => `${Noun} ${name} changed`,
  removed: (name) => `${Noun} ${name} deleted`,
})

export const kindWords: Readonly<Record<CatalogKind, KindWords>> = {
  flavor: kind('flavor', 'Flavor'),
  group: kind('server group', 'Server group'),
  alias: kind('PCI alias', 'PCI alias'),
}

export const catalogWords = {
  title: 'Catalog',
  facts: 'Flavors, server groups and PCI aliases for building instances.',
  what: 'the catalog',
  tabs: { flavors: 'Flavors', groups: 'Server groups', aliases: 'PCI aliases' },
  filter: 'Filter',
  empty: 'Nothing here yet',
  emptyMore: 'Create the first one.',
  emptyFiltered: 'No match',
  emptyFilteredMore: 'Change or clear the filter.',
  name: 'Name',
  nameFixed: 'It cannot be changed later.',
  vcpus: 'vCPUs',
  memory: 'Memory',
  memoryMib: 'Memory (MiB)',
  disk: 'Disk',
  diskGib: 'Disk (GiB)',
  specs: 'Extra specs',
  specsHelp: 'One key=value a line, such as hw:cpu_policy=dedicated.',
  addSpec: 'Add extra spec',
  policy: 'Policy',
  maxPerHost: 'Members per host',
  spec: 'Devices',
  specHelp: 'One kind of device a line: vendor_id=8086 product_id=1889 dev_type=type-VF, and tags of the device.',
  numa: 'NUMA policy',
  uses: 'In use by',
  actions: 'Actions',
  change: 'Change…',
  remove: 'Delete…',
  actionsOn: (name: string) => `Actions on ${name}`,
  used: (uses: number) => `${plural(uses, 'use')}: delete or change those first.`,
  gone: (noun: string) => `Nothing uses this ${noun}. Deleting it cannot be undone.`,
  keeps: (uses: number) => `${plural(uses, 'instance')} built with it keep what they have.`,
  fixedPolicy: (uses: number) =>
    `${plural(uses, 'member')}: the policy is fixed, and the limit per host can only rise.`,
  fixedSpec: (uses: number) => `${plural(uses, 'use')}: only the NUMA policy can be changed.`,
  badLine: (line: string) => `“${line}” is not key=value.`,
} as const

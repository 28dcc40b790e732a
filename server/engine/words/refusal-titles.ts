import type { Refusal, RefusalKind } from './refusal'

/**
 * The rule in two or three words: column headers of the matrix, first words of a refusal, and the reason that is stored
 * with a plan. Kinds are for programs.
 */
export const REFUSAL_TITLES: Readonly<Record<RefusalKind, string>> = {
  amount: 'not enough',
  'amount-shape': 'amount not allowed',
  'no-inventory': 'no such resource',
  'trait-missing': 'trait missing',
  'trait-forbidden': 'trait forbidden',
  'aggregate-missing': 'not in aggregate',
  'aggregate-forbidden': 'in forbidden aggregate',
  zone: 'wrong zone',
  'host-not-up': 'host not up',
  'host-not-fenced': 'host not fenced',
  'host-disabled': 'host disabled',
  'host-quarantined': 'host quarantined',
  'host-has-remains': 'leftovers of this instance',
  'unreadable-record': 'unreadable record',
  'host-is-source': 'is the source',
  'other-hypervisor': 'other hypervisor',
  affinity: 'affinity',
  'anti-affinity': 'anti-affinity',
  'too-few-cells': 'too few NUMA nodes',
  'dedicated-cpus': 'dedicated CPUs',
  'shared-cpus': 'shared CPUs',
  'sibling-threads': 'sibling threads',
  'whole-cores': 'whole cores',
  'overcommit-cpus': 'CPU overcommit',
  'overcommit-memory': 'memory overcommit',
  memory: 'NUMA node memory',
  'ordinary-memory': 'small-page memory',
  pages: 'pages',
  'page-size': 'page size',
  'thread-policy': 'thread policy',
  'emulator-threads': 'emulator threads',
  'network-affinity': 'network affinity',
  'no-joint-fit': 'NUMA topology',
  'search-exhausted': 'search limit reached',
  devices: 'devices',
  'device-affinity': 'device on a distant NUMA node',
  'device-off-node': 'device on another NUMA node',
  vgpus: 'vGPUs',
  vpmem: 'PMEM namespaces',
  'cpu-model': 'CPU model',
  'page-size-change': 'page size would change',
  'device-not-migratable': 'device not migratable',
  'storage-not-shared': 'storage not shared',
  'storage-shared': 'storage is shared',
  'already-moving': 'already migrating',
  'not-permitted': 'not permitted now',
  'no-slot': 'no free slot',
  'no-host': 'no valid host',
  'changed-meanwhile': 'conflict',
  'wrong-state': 'wrong state',
  unknown: 'not found',
  'bad-input': 'invalid input',
}

/** Each rule that refuses, once: `wrong zone, dedicated CPUs`. */
export const titlesOf = (refusals: readonly Pick<Refusal, 'kind'>[]): string =>
  [...new Set(refusals.map(({ kind }) => REFUSAL_TITLES[kind]))].join(', ')

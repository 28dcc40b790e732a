import type { Transport } from '@/forms/connection'
import type { ProbeStep, ProbeStepReport } from '@/server/api/connection/connections'
import type { BadgeContent } from '../ui/Badge'
import { count, plural } from '../ui/format'

export const connectionWords = {
  title: 'Add host',
  sections: { connection: 'Connection', probe: 'Probe', preview: 'Preview', add: 'Add the host' },
  readOnlyFirst: 'Berth reads the host over a read-only connection. The daemon refuses every change over it.',
  what: 'the files that a connection may use',
  transport: 'Reached by',
  socket: 'Daemon socket',
  noSockets: 'No daemon socket was found.',
  host: 'Host name or address',
  port: 'Port',
  pki: 'Certificates',
  pkiHelp: 'A folder on this server with cacert.pem, clientcert.pem and clientkey.pem.',
  noPki: 'No folder with cacert.pem, clientcert.pem and clientkey.pem was found.',
  user: 'User',
  userHelp: 'Empty: the user that Berth runs as.',
  key: 'Key',
  ownKey: 'From the agent or the user’s own',
  keyHelp: 'The key of the host itself must be known to this server.',
  searchedIn: (folders: readonly string[]) => `Searched: ${folders.join(', ')}. LIBVIRT_PATHS names other folders.`,
  session: 'Session daemon of a user (qemu:///session)',
  probe: 'Probe host',
  probing: 'Probing the host',
  again: 'Probe again',
  cancel: 'Cancel probe',
  change: 'Change connection',
  incomplete: 'Complete the connection.',
  notProbed: 'Probe host',
  notAdded: 'Add host',
  took: (ms: number) => `${count(ms)} ms`,
  todo: (next: string) => `To do: ${next}.`,
  unknown: 'Unknown',
  cpu: ({ vendor, model, arch }: { vendor: string; model: string; arch: string }) => `${vendor} ${model}, ${arch}`,
  nodes: 'NUMA nodes',
  devices: 'Devices',
  domains: 'Domains',
  noDevices: 'The host has no PCI functions, vGPUs or other devices that an instance can claim.',
  noDomains: 'The host has no domains.',
  domainsHelp: 'They stay as they are: domains that Berth did not create are not instances.',
  overCommitted: (unit: string, domains: readonly string[]) => `${unit} is claimed by ${domains.join(' and ')}.`,
  overCommittedTitle: 'Already overcommitted',
  findings: 'Findings',
  issue: ({ where, what, fix }: { where: string; what: string; fix: string }) => `${where}: ${what}; ${fix}.`,
  heads: {
    node: 'NUMA node',
    cpus: 'CPUs',
    threads: 'Threads per core',
    memory: 'Memory',
    pages: 'Pages',
    unit: 'Device',
    domain: 'Domain',
    state: 'State',
    pins: 'CPU pins',
    memoryNodes: 'On NUMA node',
    attached: 'Devices',
  },
  pages: (size: string, total: number, free: number | null) =>
    free === null ? `${count(total)} × ${size}` : `${count(total)} × ${size} (${count(free)} free)`,
  state: (state: string, reason: string) => `${state} (${reason})`,
  floating: (vcpus: number) => `${plural(vcpus, 'vCPU')}, not pinned`,
  /** As `virsh vcpupin` lists them. */
  pin: ({ vcpu, cpus }: { vcpu: number; cpus: string }) => `${vcpu}: ${cpus}`,
  name: 'Name in Berth',
  dedicated: 'CPUs for pinned instances',
  dedicatedHelp: 'As Nova’s cpu_dedicated_set, such as 2-15,^8. Empty: none.',
  control: 'Let Berth control this host',
  readOnly: 'Berth shows what it reads and changes nothing. Instances are not scheduled here.',
  controlMeans:
    'Berth builds, starts, stops, migrates and deletes its own instances here. Domains that it did not create are never changed. The host is added with scheduling disabled.',
  pool: 'Storage pool for root disks',
  poolHelp:
    'As libvirt names it. Berth makes the disks of instances there. Empty: Berth makes no disks; instances bring their own.',
  peer: 'Other hosts reach it by TLS, for live migrations',
  peerHost: 'Host name or address for other hosts',
  peerPki: 'Folder with the certificates on the other hosts',
  dataAddress: 'Network address for the memory of migrations',
  reason: 'Reason',
  reasonHelp: 'Kept in the audit log with your name.',
  add: (name: string) => `Add ${name}`,
  added: (name: string) => `${name} added`,
  needReason: 'Enter a reason.',
} as const

export const transportWords: Readonly<Record<Transport['kind'], string>> = {
  unix: 'Socket on this machine',
  tls: 'TLS',
  ssh: 'ssh',
}

export const probeStepWords: Readonly<Record<ProbeStep, string>> = {
  reach: 'Reached',
  authenticate: 'Authenticated',
  versions: 'Versions',
  rights: 'Berth may change',
  inventory: 'Inventory',
}

export const probeBadges: Readonly<Record<ProbeStepReport['state'], BadgeContent>> = {
  waiting: { shape: 'ring', tone: 'idle', label: 'waiting' },
  running: { shape: 'half', tone: 'flow', label: 'running' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
  skipped: { shape: 'dash', tone: 'idle', label: 'skipped' },
}

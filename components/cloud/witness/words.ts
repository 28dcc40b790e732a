import type { BadgeContent } from '../../ui/Badge'
import { plural, utc } from '../../ui/format'

export const witnessWords = {
  drift: {
    title: 'Nova, Placement and libvirt',
    filter: 'Filter instances',
    empty: 'Nothing to compare',
    emptyMore: 'Nova reports no instance, and nothing is allocated or runs here.',
    emptyFiltered: 'No instance matches',
    emptyFilteredMore: 'Change the filter.',
    notInNova: 'not in Nova',
  },
  host: 'Host of a cloud',
  nova: 'Nova',
  showMap: 'Show map',
  showInList: 'Show in the list',
  gone: 'Nova does not list this host',
  goneMore: 'It was removed, or the cloud has not been read yet.',
  hypervisor: (node: string) => `hypervisor ${node}`,
  zone: (zone: string) => `zone ${zone}`,
  instances: (n: number) => plural(n, 'instance'),
  readBy: 'libvirt read by',
  silentBy: 'libvirt not answering',
  map: 'Map',
  mapOf: (connection: string, at: number) => `as reported by libvirt on ${connection} at ${utc(at)} UTC`,
  dotted: 'Dotted: memory used by the host itself and by domains that are bound to no NUMA node.',
  unconnected: 'No libvirt connection reads this host.',
  unconnectedMore: (node: string) =>
    `Nova does not report NUMA nodes, CPUs, huge pages and devices, so there is no map. Add the host under Hosts (read-only is enough). Berth matches it to this host if libvirt reports the host name ${node}.`,
  silent: (connection: string) => `The libvirt on ${connection} does not answer.`,
  silentMore: 'What runs here, and on which CPUs, is unknown now.',
  ignored: (why: string) => `Not compared: ${why}.`,
  ignoredMore: 'The map shows its data. The audit does not use it.',
  unknownDomains: (n: number) => `${plural(n, 'domain')} here ${n === 1 ? 'is' : 'are'} not in Nova`,
  missing: (n: number) => `${plural(n, 'instance')} that Nova records here ${n === 1 ? 'has' : 'have'} no domain`,
  same: 'Every domain here is in Nova, and every instance that Nova records here has a domain.',
  notCompared: 'Domains and instances are not compared: the answer was incomplete.',
  unreported: 'Not reported by libvirt',
} as const

export const novaBadge: BadgeContent = { shape: 'square', tone: 'flow', label: witnessWords.nova }

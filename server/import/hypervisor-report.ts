import { fingerprintOf, type HypervisorHost, type PlacedDomain } from './hypervisor'
import type { ImportIssue } from './issue'

// The preview of a host as its libvirt daemon reports it: values for the console, and lines of text for a terminal.

export interface HostPreview {
  /** Digest of this preview. Adding the host repeats it, and is refused if the host has changed since. */
  readonly fingerprint: string
  readonly name: string
  readonly cpu: { readonly arch: string; readonly vendor: string; readonly model: string }
  readonly nodes: readonly PreviewNode[]
  readonly devices: readonly { readonly unit: string; readonly node: number | null }[]
  readonly domains: readonly PreviewDomain[]
  /** CPUs and devices that more than one running domain uses exclusively. */
  readonly overCommitted: HypervisorHost['contested']
  readonly issues: readonly ImportIssue[]
}

/** A NUMA node of the host. CPU lists use libvirt's syntax, such as `0-3,8`; empty if there are none. */
export interface PreviewNode {
  readonly id: number
  readonly cpus: string
  readonly dedicated: string
  readonly threads: number
  readonly memoryMib: number
  /** `free` is null if the daemon does not report it. */
  readonly pages: readonly { readonly size: string; readonly total: number; readonly free: number | null }[]
}

export interface PreviewDomain {
  readonly name: string
  readonly state: string
  readonly reason: string
  readonly vcpus: number
  /** Per vCPU, the host CPUs that it may run on. */
  readonly pins: readonly { readonly vcpu: number; readonly cpus: string }[]
  readonly memoryMib: number
  readonly memoryNodes: string
  readonly pages: readonly string[]
  readonly devices: readonly string[]
}

export interface Reading {
  readonly issues: readonly ImportIssue[]
  /** Free pages by `node/size`; null if the daemon does not report them. */
  readonly freePages: ReadonlyMap<string, number | null>
}

export function previewOf(host: HypervisorHost, { issues, freePages }: Reading): HostPreview {
  const { frame, devices } = host.spec
  const { arch, vendor, model } = frame.cpu
  return {
    fingerprint: fingerprintOf(host),
    name: frame.name,
    cpu: { arch, vendor, model },
    nodes: host.numaNodes.map((node) => ({
      id: node.id,
      cpus: rangesOf([...node.sharedCpus, ...node.dedicatedCpus]),
      dedicated: rangesOf(node.dedicatedCpus),
      threads: Math.max(1, ...node.siblings.map((group) => group.length)),
      memoryMib: node.memoryMib,
      pages: node.pages.map(({ sizeKib, total }) => {
        return { size: pagesWord(sizeKib), total, free: freePages.get(`${node.id}/${sizeKib}`) ?? null }
      }),
    })),
    devices: devices.map(({ unit, cell }) => ({ unit, node: cell })),
    domains: host.domains.map(domainPreview),
    overCommitted: host.contested,
    issues,
  }
}

const domainPreview = ({ name, state, reason, holding }: PlacedDomain): PreviewDomain => ({
  ...{ name, state, reason, vcpus: holding.vcpus, memoryMib: holding.memoryMib },
  pins: holding.pins.map(({ vcpu, cpus }) => ({ vcpu, cpus: rangesOf(cpus) })),
  memoryNodes: rangesOf(holding.memoryNodes),
  pages: holding.pageKib.map((size) => (size === null ? 'huge pages' : `${pagesWord(size)} pages`)),
  devices: [...holding.pciAddresses, ...holding.mdevUuids.map((uuid) => `mdev ${uuid}`)],
})

export interface ProbeResult {
  readonly address: string
  readonly client: string
  readonly readOnly: boolean
  readonly libvirt: string
  readonly hypervisor: string
}

/** Values that libvirt does not report. Listed, so that they are not read as zero. */
export const UNKNOWN = [
  'disk: libvirt does not report how much is for instances; the host offers the size of its storage pool, or none',
  'networks: libvirt does not report the physical network of a function; no function has one',
  'PMEM: libvirt does not report namespaces; the host has none',
] as const

export function probeLines(probe: ProbeResult): readonly string[] {
  return [
    `reached        ${probe.address}, by ${probe.client}`,
    'authenticated  yes',
    `versions       libvirt ${probe.libvirt}, QEMU ${probe.hypervisor}`,
    `may change     ${probe.readOnly ? 'nothing: the connection is read-only' : 'everything the daemon allows'}`,
    ...UNKNOWN.map((line) => `unknown        ${line}`),
  ]
}

export function previewLines({ name, cpu, nodes, devices, domains, overCommitted }: HostPreview): readonly string[] {
  const dedicated = nodes.flatMap((node) => (node.dedicated === '' ? [] : [node.dedicated])).join(',')
  return [
    `host           ${name}: ${cpu.vendor} ${cpu.model}, ${cpu.arch}`,
    `dedicated      ${dedicated === '' ? 'no CPUs; name those for pinned instances with --dedicated' : `CPUs ${dedicated}`}`,
    `NUMA nodes     ${nodes.length}`,
    ...nodes.map(nodeLine),
    `devices        ${devices.length}`,
    ...devices.map(({ unit, node }) => `  ${unit} on ${node === null ? 'an unknown node' : `node ${node}`}`),
    `domains        ${domains.length}`,
    ...domains.map(domainLine),
    ...overCommitted.map((one) => `over-committed ${one.unit}: used by ${one.domains.join(' and ')}`),
  ]
}

function nodeLine({ id, cpus, threads, memoryMib, pages }: PreviewNode): string {
  const pools = pages.map(
    ({ size, total, free }) => `${total} × ${size} (${free ?? 'free: unknown'}${free === null ? '' : ' free'})`,
  )
  const of = cpus === '' ? 'no CPUs' : `CPUs ${cpus}, ${threads} per core`
  return `  node ${id}: ${of}; ${memoryMib} MiB; pages ${pools.join(', ') || 'not reported'}`
}

function domainLine({
  name,
  state,
  reason,
  vcpus,
  pins,
  memoryMib,
  memoryNodes,
  pages,
  devices,
}: PreviewDomain): string {
  const parts = [
    `${vcpus} ${vcpus === 1 ? 'vCPU' : 'vCPUs'}${pins.length === 0 ? ' floating' : ` pinned ${pins.map(({ vcpu, cpus }) => `${vcpu}→${cpus}`).join(' ')}`}`,
    `${memoryMib} MiB${memoryNodes === '' ? '' : ` on node ${memoryNodes}`}`,
    ...pages,
    ...devices,
  ]
  return `  ${name}, ${state} (${reason}): ${parts.join('; ')}`
}

/** A list of CPUs or NUMA nodes as `0-3,8`. */
export function rangesOf(ids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === id - 1) last[1] = id
    else ranges.push([id, id])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

const KIB_PER_MIB = 1024
const KIB_PER_GIB = 1024 * 1024

/** A page size, such as `2 MiB`. */
function pagesWord(sizeKib: number): string {
  if (sizeKib >= KIB_PER_GIB && sizeKib % KIB_PER_GIB === 0) return `${sizeKib / KIB_PER_GIB} GiB`
  return sizeKib >= KIB_PER_MIB && sizeKib % KIB_PER_MIB === 0 ? `${sizeKib / KIB_PER_MIB} MiB` : `${sizeKib} KiB`
}

import type { HypervisorHost, PlacedDomain } from './hypervisor'

// The preview of a host that a daemon described, as lines of text.

export interface ProbeResult {
  readonly address: string
  readonly client: string
  readonly readOnly: boolean
  readonly libvirt: string
  readonly hypervisor: string
  /** Free pages by `node/size`; null where the daemon does not say. */
  readonly freePages: ReadonlyMap<string, number | null>
}

/** What no question to libvirt answers, so that nobody takes it for zero. */
const UNKNOWN = [
  'disk: libvirt does not tell how much of it is for instances; the host offers none',
  'networks: which physical network a function is on; no function has one',
  'PMEM: libvirt lists no namespaces; the host has none',
]

export function probeLines(probe: ProbeResult): readonly string[] {
  return [
    `reached        ${probe.address}, by ${probe.client}`,
    'authenticated  yes',
    `versions       libvirt ${probe.libvirt}, QEMU ${probe.hypervisor}`,
    `may change     ${probe.readOnly ? 'nothing: the connection is read-only' : 'everything the daemon allows'}`,
    ...UNKNOWN.map((line) => `unknown        ${line}`),
  ]
}

export function previewLines(host: HypervisorHost, { freePages }: ProbeResult): readonly string[] {
  const { frame, devices } = host.spec
  const nodes = host.cells.map((cell) => {
    const cpus = [...cell.sharedCpus, ...cell.dedicatedCpus]
    const pages = cell.pages.map(({ sizeKib, total }) => {
      const free = freePages.get(`${cell.id}/${sizeKib}`) ?? null
      return `${total} × ${pagesWord(sizeKib)}${free === null ? ' (free: unknown)' : ` (${free} free)`}`
    })
    const threads = Math.max(1, ...cell.siblings.map((group) => group.length))
    const of = cpus.length === 0 ? 'no CPUs' : `CPUs ${rangesOf(cpus)}, ${threads} per core`
    return `  node ${cell.id}: ${of}; ${cell.memoryMib} MiB; pages ${pages.join(', ') || 'none told'}`
  })
  const dedicated = host.cells.flatMap((cell) => cell.dedicatedCpus)
  return [
    `host           ${frame.name}: ${frame.cpu.vendor} ${frame.cpu.model}, ${frame.cpu.arch}`,
    `dedicated      ${dedicated.length === 0 ? 'no CPUs; name those for pinned instances with --dedicated' : `CPUs ${rangesOf(dedicated)}`}`,
    `NUMA nodes     ${host.cells.length}`,
    ...nodes,
    `devices        ${devices.length}`,
    ...devices.map(({ unit, cell }) => `  ${unit} on ${cell === null ? 'an unknown node' : `node ${cell}`}`),
    `domains        ${host.domains.length}`,
    ...host.domains.map(domainLine),
    ...host.contested.map(({ unit, domains }) => `over-committed ${unit}: held by ${domains.join(' and ')}`),
  ]
}

function domainLine({ name, state, reason, holding }: PlacedDomain): string {
  const pins = holding.pins.map(({ vcpu, cpus }) => `${vcpu}→${rangesOf(cpus)}`)
  const parts = [
    `${holding.vcpus} vCPUs${pins.length === 0 ? ' floating' : ` pinned ${pins.join(' ')}`}`,
    `${holding.memoryMib} MiB${holding.memoryNodes.length === 0 ? '' : ` on node ${rangesOf(holding.memoryNodes)}`}`,
    ...holding.pageKib.map((size) => (size === null ? 'huge pages' : `${pagesWord(size)} pages`)),
    ...holding.pciAddresses,
    ...holding.mdevUuids.map((uuid) => `mdev ${uuid}`),
  ]
  return `  ${name}, ${state} (${reason}): ${parts.join('; ')}`
}

/** `0-3,8` of the CPUs or nodes of a list. */
function rangesOf(ids: readonly number[]): string {
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

/** `2 MiB` of a page size. */
function pagesWord(sizeKib: number): string {
  if (sizeKib >= KIB_PER_GIB && sizeKib % KIB_PER_GIB === 0) return `${sizeKib / KIB_PER_GIB} GiB`
  return sizeKib >= KIB_PER_MIB && sizeKib % KIB_PER_MIB === 0 ? `${sizeKib / KIB_PER_MIB} MiB` : `${sizeKib} KiB`
}

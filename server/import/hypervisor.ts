import { createHash } from 'node:crypto'
import type { HostSpec } from '../engine/host'
import { parseCapabilities } from './capabilities'
import { type DomainHolding, parseDomain } from './domain'
import { type BareNode, hostSpec } from './host-spec'
import { type ImportIssue, type ImportResult, issueNote } from './issue'
import { parseNodedevs } from './nodedev'

// A libvirt daemon's answers about its host → the host as Berth would record it, and what its domains use there.

/** The answers of the daemon. `null`: it gave none, for the reason in `unreported`. */
export interface HypervisorAnswers {
  readonly hostname: string
  readonly capabilities: string
  readonly nodeDevices: readonly { readonly name: string; readonly xml: string }[] | null
  readonly domains: readonly ReportedDomain[] | null
  /** The storage pool for disks; null: none. */
  readonly pool: { readonly capacityBytes: number } | null
  readonly unreported: readonly { readonly what: string; readonly why: string }[]
}

export interface ReportedDomain {
  readonly uuid: string
  readonly name: string
  readonly state: string
  readonly reason: string
  readonly xml: string
}

export interface HypervisorHost {
  readonly spec: HostSpec
  /** The machine's uuid in libvirt; null if libvirt does not report it. */
  readonly machine: string | null
  readonly numaNodes: readonly BareNode[]
  readonly domains: readonly PlacedDomain[]
  /** CPUs and devices that more than one running domain uses exclusively. */
  readonly contested: readonly { readonly unit: string; readonly domains: readonly string[] }[]
}

export interface PlacedDomain extends Omit<ReportedDomain, 'xml'> {
  readonly holding: DomainHolding
}

export interface HypervisorOptions {
  /** Null: the host's own name. */
  readonly name: string | null
  readonly dedicated: ReadonlySet<number>
}

const GIB = 1024 ** 3
const RESERVED_MIB = 512 // Nova's default of reserved_host_memory_mb

export function readHypervisor(answers: HypervisorAnswers, options: HypervisorOptions): ImportResult<HypervisorHost> {
  const { hostname, nodeDevices } = answers
  const host = parseCapabilities(answers.capabilities, { file: 'capabilities', dedicated: options.dedicated })
  const issues: ImportIssue[] = [...host.issues]
  for (const { what, why } of answers.unreported)
    issues.push(
      issueNote(hostname, `the daemon does not report its ${what}: ${why}`, `the host is imported without its ${what}`),
    )
  if (host.value === null) return { value: null, issues }
  const { numaNodes, cpu, uuid: machine } = host.value
  const files = (nodeDevices ?? []).map(({ name, xml }) => ({ file: name, text: xml }))
  const devices = parseNodedevs(files, new Set(numaNodes.map((node) => node.id)))
  const domains = (answers.domains ?? []).flatMap(({ xml, ...domain }): PlacedDomain[] => {
    const { value: holding, issues: unread } = parseDomain(xml, `domain ${domain.name}`)
    issues.push(...unread)
    return holding === null ? [] : [{ ...domain, holding }]
  })
  issues.push(...devices.issues)
  const spec = hostSpec({
    name: options.name ?? hostname,
    zone: null,
    cpu,
    numaNodes,
    devices: devices.value ?? [],
    traits: [],
    aggregates: [],
    diskGib: Math.floor((answers.pool?.capacityBytes ?? 0) / GIB), // capabilities do not include storage
    reservedMib: RESERVED_MIB,
    cpuAllocationRatioMilli: 16_000,
    ramAllocationRatioMilli: 1500,
    driver: 'libvirt',
  })
  return { value: { spec, machine, numaNodes, domains, contested: contestedBy(domains) }, issues }
}

/** The page pools of a host, for the query of how many pages are free. */
export const pagePoolsOf = ({
  numaNodes,
}: HypervisorHost): readonly { readonly node: number; readonly sizeKib: number }[] =>
  numaNodes.flatMap((node) => node.pages.map(({ sizeKib }) => ({ node: node.id, sizeKib })))

/** Units that two running domains use: the only CPU that a vCPU is pinned to, a PCI device, a mediated device. */
function contestedBy(domains: readonly PlacedDomain[]): HypervisorHost['contested'] {
  const holders = new Map<string, Set<string>>()
  const running = domains.filter(({ state }) => state !== 'shut off' && state !== 'crashed')
  for (const { name, holding } of running) {
    const pinned = holding.pins.flatMap(({ cpus }) => (cpus.length === 1 ? [`CPU ${cpus[0]}`] : []))
    const units = [
      ...pinned,
      ...holding.pciAddresses.map((at) => `PCI ${at}`),
      ...holding.mdevUuids.map((at) => `mdev ${at}`),
    ]
    for (const unit of units) holders.set(unit, (holders.get(unit) ?? new Set()).add(name))
  }
  return [...holders].flatMap(([unit, names]) => (names.size > 1 ? [{ unit, domains: [...names] }] : []))
}

/** Changes with the previewed host, its domains and what they use, but not with their states, free pages or issues. */
export function fingerprintOf({ spec, machine, domains, contested }: HypervisorHost): string {
  const held = domains.map(({ name, holding }) => ({ name, holding }))
  return createHash('sha256')
    .update(JSON.stringify([spec, machine, held, contested]))
    .digest('hex')
}

import fs from 'node:fs'
import path from 'node:path'
import type { HostSpec } from '../engine/host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { HypervisorOrder, ImportOrder } from './arguments'
import { parseCapabilities } from './capabilities'
import { demoFleet } from './demo-fleet'
import { gpuAliases, parseNodes, parsePods, type Workload } from './fleet-csv'
import { hostSpec } from './host-spec'
import { type ImportIssue, type ImportResult, problem } from './issue'
import { type NodedevFile, parseNodedevs } from './nodedev'
import type { Fleet } from './register'
import { onStorage } from './shared-storage'

// Reads files into a fleet that can be registered. Every mistake in a file is an issue with its location, not an
// exception.

export function readOrder(order: Exclude<ImportOrder, HypervisorOrder>): ImportResult<Fleet> {
  if (order.what === 'demo') return { value: demoFleet(order.hosts, order.instances), issues: [] }
  const { value, issues } = order.what === 'fleet' ? readFleet(order) : readHost(order)
  const { storage } = order
  if (value === null || storage === undefined) return { value, issues }
  return { value: { ...value, hosts: value.hosts.map((host) => onStorage(host, storage)) }, issues }
}

function readFleet(order: Extract<ImportOrder, { what: 'fleet' }>): ImportResult<Fleet> {
  const issues: ImportIssue[] = []
  const nodes = readText(order.nodes, issues)
  const pods = order.pods === null ? null : readText(order.pods, issues)
  const hosts = nodes === null ? null : parseNodes(nodes, path.basename(order.nodes))
  const workloads = pods === null ? null : parsePods(pods, path.basename(order.pods as string))
  issues.push(...(hosts?.issues ?? []), ...(workloads?.issues ?? []))
  const unread = hosts === null || (order.pods !== null && workloads === null)
  if (unread) return { value: null, issues }
  return { value: fleetOf(hosts.value ?? [], workloads?.value ?? []), issues }
}

function fleetOf(hosts: readonly HostSpec[], workloads: readonly Workload[]): Fleet {
  const flavors = [...new Map(workloads.map(({ flavor }) => [flavor.name, flavor])).values()]
  return { hosts, workloads, aliases: gpuAliases(workloads), flavors, order: 'fill' }
}

function readHost(order: Extract<ImportOrder, { what: 'host' }>): ImportResult<Fleet> {
  const issues: ImportIssue[] = []
  const dedicated = parseCpuList(order.dedicated)
  if (dedicated === null)
    issues.push(problem('--dedicated', `"${order.dedicated}" is not a list of CPUs`, 'write it like 2-15,^8'))
  const text = readText(order.capabilities, issues)
  if (text === null || dedicated === null) return { value: null, issues }
  const file = path.basename(order.capabilities)
  const host = parseCapabilities(text, { file, dedicated: new Set(dedicated) })
  issues.push(...host.issues)
  if (host.value === null) return { value: null, issues }
  const numaNodes = host.value.numaNodes
  const devices = parseNodedevs(nodedevFiles(order.nodedevs, issues), new Set(numaNodes.map((node) => node.id)))
  issues.push(...devices.issues)
  const spec = hostSpec({
    name: order.name ?? file.replace(/^capabilities-|\.xml$/g, ''),
    zone: null,
    cpu: host.value.cpu,
    numaNodes,
    devices: devices.value ?? [],
    traits: [],
    aggregates: [],
    diskGib: 0, // `virsh capabilities` does not include storage; instances without a local disk fit.
    reservedMib: 512,
    cpuAllocationRatioMilli: 16_000,
    ramAllocationRatioMilli: 1500,
  })
  return { value: { hosts: [spec], workloads: [], aliases: [], flavors: [], order: 'fill' }, issues }
}

/** A folder stands for the XML files in it. */
function nodedevFiles(paths: readonly string[], issues: ImportIssue[]): NodedevFile[] {
  const files = paths.flatMap((place) => {
    if (!fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [place]
    return fs
      .readdirSync(place)
      .filter((name) => name.endsWith('.xml'))
      .sort()
      .map((name) => path.join(place, name))
  })
  return files.flatMap((file) => {
    const text = readText(file, issues)
    return text === null ? [] : [{ file: path.basename(file), text }]
  })
}

function readText(file: string, issues: ImportIssue[]): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message
    issues.push(problem(file, reason, 'check the path; paths are taken from the folder the command runs in'))
    return null
  }
}

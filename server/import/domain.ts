import { type ImportResult, problem } from './issue'
import { addressOf, attributesOf } from './nodedev'
import { at, attribute, child, children, cpusOfList, type Element, kibOf, parseXml, textOf, wholeNumber } from './xml'

// `virsh dumpxml` → what a domain uses on its host: pinned CPUs, memory and its NUMA nodes, devices. Source: libvirt
// formatdomain.html, "CPU Tuning", "NUMA Node Tuning", "Memory Backing", "Host device assignment".

export interface DomainHolding {
  readonly vcpus: number
  readonly memoryMib: number
  /** Host CPUs that each pinned vCPU may run on; vCPUs without a pin are omitted. */
  readonly pins: readonly { readonly vcpu: number; readonly cpus: readonly number[] }[]
  readonly emulatorCpus: readonly number[]
  /** NUMA nodes that its memory is bound to, strictly or not; empty: it may be on any. */
  readonly memoryNodes: readonly number[]
  /** The parts of its memory that are bound to a single NUMA node. */
  readonly boundMib: readonly { readonly node: number; readonly memoryMib: number }[]
  /** Sizes of its huge pages; `null` stands for the host's default size. Empty: ordinary pages. */
  readonly pageKib: readonly (number | null)[]
  /** NUMA nodes that the guest sees. */
  readonly guestNodes: number
  readonly pciAddresses: readonly string[]
  readonly mdevUuids: readonly string[]
}

export function parseDomain(text: string, where: string): ImportResult<DomainHolding> {
  const { root, issues } = parseXml(text, where)
  if (!root) return { value: null, issues }
  const domain = child(root, 'domain')
  const vcpus = wholeNumber(textOf(child(domain, 'vcpu')) || null)
  const memoryKib = kibOf(child(domain, 'memory'))
  if (!domain || vcpus === null || memoryKib === null) {
    const what = domain ? 'its vCPUs or its memory are missing' : 'there is no <domain>'
    return { value: null, issues: [problem(where, what, 'give the output of `virsh dumpxml`')] }
  }
  const tuning = child(domain, 'cputune')
  const memoryMib = Math.ceil(memoryKib / 1024)
  const lists = { unread: 0 }
  const list = (text: string | null) => {
    const cpus = text === null ? [] : cpusOfList(text)
    if (cpus === null) lists.unread += 1
    return cpus ?? []
  }
  const value: DomainHolding = {
    vcpus,
    memoryMib,
    pins: children(tuning, 'vcpupin').flatMap((pin) => {
      const vcpu = wholeNumber(attribute(pin, 'vcpu'))
      return vcpu === null ? [] : [{ vcpu, cpus: list(attribute(pin, 'cpuset')) }]
    }),
    emulatorCpus: list(attribute(child(tuning, 'emulatorpin'), 'cpuset')),
    memoryNodes: memoryNodes(child(domain, 'numatune'), list),
    boundMib: boundMib(domain, { memoryMib, list }),
    pageKib: pageSizes(child(domain, 'memoryBacking')),
    guestNodes: children(at(domain, 'cpu', 'numa'), 'cell').length,
    ...devicesOf(child(domain, 'devices')),
  }
  if (lists.unread === 0) return { value, issues: [] }
  const what = `${lists.unread} of its lists of CPUs or NUMA nodes cannot be read`
  return { value: null, issues: [problem(where, what, 'look at the domain with `virsh dumpxml`')] }
}

function memoryNodes(
  numatune: Element | undefined,
  list: (text: string | null) => readonly number[],
): readonly number[] {
  const whole = list(attribute(child(numatune, 'memory'), 'nodeset'))
  const each = children(numatune, 'memnode').flatMap((node) => list(attribute(node, 'nodeset')))
  return [...new Set([...whole, ...each])].sort((a, b) => a - b)
}

interface Bound {
  readonly memoryMib: number
  readonly list: (text: string | null) => readonly number[]
}

/** By guest NUMA node, as Nova binds memory; for a domain without any, its memory as a whole. */
function boundMib(domain: Element, { memoryMib, list }: Bound): DomainHolding['boundMib'] {
  const numatune = child(domain, 'numatune')
  const guestNodes = children(at(domain, 'cpu', 'numa'), 'cell')
  const bound = children(numatune, 'memnode').flatMap((memnode) => {
    const [node, ...others] = list(attribute(memnode, 'nodeset'))
    const guestNode = guestNodes.find((cell) => attribute(cell, 'id') === attribute(memnode, 'cellid'))
    const kib = kibOf({ '#text': attribute(guestNode, 'memory') ?? '', '@unit': attribute(guestNode, 'unit') ?? 'KiB' })
    return node === undefined || others.length > 0 || kib === null ? [] : [{ node, memoryMib: Math.ceil(kib / 1024) }]
  })
  if (bound.length > 0) return bound
  const [node, ...others] = list(attribute(child(numatune, 'memory'), 'nodeset'))
  return node === undefined || others.length > 0 ? [] : [{ node, memoryMib }]
}

function pageSizes(backing: Element | undefined): readonly (number | null)[] {
  const huge = child(backing, 'hugepages')
  if (huge === undefined) return []
  const pages = children(huge, 'page')
  // Reads `size` and `unit` like the text and unit of an element.
  const sizes = pages.map((page) =>
    kibOf({ '#text': attribute(page, 'size') ?? '', '@unit': attribute(page, 'unit') ?? 'KiB' }),
  )
  return pages.length === 0 ? [null] : [...new Set(sizes)]
}

function devicesOf(devices: Element | undefined): Pick<DomainHolding, 'pciAddresses' | 'mdevUuids'> {
  const attached = [...children(devices, 'hostdev'), ...children(devices, 'interface')]
  const sources = attached.map((device) => at(device, 'source', 'address'))
  return {
    pciAddresses: sources.flatMap((source) => addressOf(attributesOf(source)) ?? []),
    mdevUuids: sources.flatMap((source) => attribute(source, 'uuid') ?? []),
  }
}

import type { HostCpu } from '../engine/host'
import type { BareNode } from './host-spec'
import { type ImportIssue, type ImportResult, issueNote, problem } from './issue'
import { at, attribute, child, children, cpusOfList, type Element, kibOf, parseXml, textOf, wholeNumber } from './xml'

// `virsh capabilities` → CPU model and NUMA nodes (libvirt's cells). Real hosts have gaps in node and CPU ids, nodes
// without CPUs, siblings written as ranges or lists, and offline CPUs; all of these are accepted.
// Source: libvirt formatcaps.html, element <host>.

export interface HostCapabilities {
  readonly uuid: string | null
  readonly cpu: HostCpu
  readonly numaNodes: readonly BareNode[]
}

export interface CapabilityOptions {
  readonly file: string
  /** CPUs for pinned instances (Nova `cpu_dedicated_set`); all others are shared. */
  readonly dedicated: ReadonlySet<number>
}

export function parseCapabilities(text: string, options: CapabilityOptions): ImportResult<HostCapabilities> {
  const { root, issues } = parseXml(text, options.file)
  if (!root) return { value: null, issues }
  const host = at(root, 'capabilities', 'host')
  if (!host) {
    const what = 'there is no <host> in <capabilities>'
    return { value: null, issues: [problem(options.file, what, 'give the output of `virsh capabilities`')] }
  }
  const found: ImportIssue[] = []
  const numaNodes = children(at(host, 'topology', 'cells'), 'cell').flatMap((cell) => readCell(cell, options, found))
  if (numaNodes.length === 0) {
    found.push(
      problem(
        options.file,
        'there are no <cell> elements under <topology>',
        'a host without <topology> cannot be scheduled to; run virsh on the host itself',
      ),
    )
    return { value: null, issues: found }
  }
  reportInconsistencies(numaNodes, options, found)
  const strange = notOnHost(numaNodes, options)
  if (strange.length > 0) {
    const what = `the dedicated CPUs ${strange.join(', ')} are not on this host`
    // Importing the host without them would take dedicated CPUs from one that is imported again.
    return { value: null, issues: [problem(options.file, what, 'correct the list of dedicated CPUs'), ...found] }
  }
  return {
    value: { uuid: textOf(child(host, 'uuid')) || null, cpu: readCpu(child(host, 'cpu')), numaNodes },
    issues: found,
  }
}

function readCpu(cpu: Element | undefined): HostCpu {
  return {
    arch: textOf(child(cpu, 'arch')) || 'unknown',
    vendor: textOf(child(cpu, 'vendor')) || 'unknown',
    model: textOf(child(cpu, 'model')) || 'unknown',
    features: children(cpu, 'feature')
      .flatMap((feature) => attribute(feature, 'name') ?? [])
      .sort(),
  }
}

function readCell(cell: Element, options: CapabilityOptions, issues: ImportIssue[]): BareNode[] {
  const id = wholeNumber(attribute(cell, 'id'))
  if (id === null) {
    issues.push(problem(`${options.file} a <cell>`, 'it has no id', 'every cell needs its NUMA node number'))
    return []
  }
  const where = `${options.file} cell ${id}`
  const memory = child(cell, 'memory')
  const kib = kibOf(memory)
  if (kib === null)
    issues.push(
      issueNote(where, 'its memory is missing', 'the NUMA node is imported without memory; no instance fits there'),
    )
  const cpus = children(child(cell, 'cpus'), 'cpu')
  const ids = cpus.flatMap((cpu) => wholeNumber(attribute(cpu, 'id')) ?? []).sort((a, b) => a - b)
  if (new Set(ids).size !== ids.length)
    issues.push(problem(where, 'a CPU is listed twice', 'correct the <cpus> of this cell'))
  return [
    {
      id,
      socket: socketOf(cpus),
      sharedCpus: ids.filter((cpu) => !options.dedicated.has(cpu)),
      dedicatedCpus: ids.filter((cpu) => options.dedicated.has(cpu)),
      siblings: siblingGroups(cpus, new Set(ids)),
      memoryMib: Math.floor((kib ?? 0) / 1024),
      pages: readPages(cell),
      distances: children(child(cell, 'distances'), 'sibling').flatMap(
        (other) => wholeNumber(attribute(other, 'value')) ?? [],
      ),
    },
  ]
}

function readPages(cell: Element): BareNode['pages'] {
  return children(cell, 'pages').flatMap((pool) => {
    const size = wholeNumber(attribute(pool, 'size'))
    const total = wholeNumber(textOf(pool) || null)
    // `unit` is the unit of `size`; libvirt prints only KiB.
    const isKib = (attribute(pool, 'unit') ?? 'KiB') === 'KiB'
    return size === null || total === null || !isKib ? [] : [{ sizeKib: size, total }]
  })
}

/** The socket of a NUMA node; null if its CPUs are in several, because a `socket` policy cannot apply then. */
function socketOf(cpus: readonly Element[]): number | null {
  const sockets = new Set(cpus.map((cpu) => attribute(cpu, 'socket_id')))
  return sockets.size === 1 ? wholeNumber([...sockets][0] ?? null) : null
}

/** `siblings` is a list of ranges. CPUs of other NUMA nodes and offline ones are left out of a group. */
function siblingGroups(cpus: readonly Element[], online: ReadonlySet<number>): number[][] {
  const groups = new Map<string, number[]>()
  for (const cpu of cpus) {
    const own = wholeNumber(attribute(cpu, 'id'))
    if (own === null) continue
    const group = (cpusOfList(attribute(cpu, 'siblings')) ?? [own]).filter((id) => online.has(id))
    const members = group.includes(own) ? group : [own]
    groups.set(members.join(','), members)
  }
  return [...groups.values()].sort((a, b) => (a[0] as number) - (b[0] as number))
}

function reportInconsistencies(cells: readonly BareNode[], options: CapabilityOptions, issues: ImportIssue[]): void {
  for (const cell of cells) {
    const where = `${options.file} cell ${cell.id}`
    const cpus = [...cell.sharedCpus, ...cell.dedicatedCpus]
    if (cpus.length === 0)
      issues.push(
        issueNote(
          where,
          'it has memory but no CPUs',
          'imported for its devices; no instance is placed there and its memory does not count',
        ),
      )
    const inPages = cell.pages.reduce((kib, pool) => kib + pool.total * pool.sizeKib, 0)
    if (inPages > (cell.memoryMib + 1) * 1024)
      issues.push(
        issueNote(
          where,
          `its pages add up to ${Math.round(inPages / 1024)} MiB but it has ${cell.memoryMib} MiB`,
          'both are imported as given; scheduling checks each',
        ),
      )
  }
}

function notOnHost(cells: readonly BareNode[], { dedicated }: CapabilityOptions): readonly number[] {
  const known = new Set(cells.flatMap((cell) => [...cell.sharedCpus, ...cell.dedicatedCpus]))
  return [...dedicated].filter((cpu) => !known.has(cpu))
}

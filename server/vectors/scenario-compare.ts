import type { TraceContext, TraceGuestNode, TraceHost, TraceNode, TraceServer, TraceState } from './scenario-trace'

// Compares two states of a trace, except which of several equivalent CPUs, NUMA nodes or devices was chosen.

/** Null when they are equal; else the first path that differs, with both values. */
export function differenceIn(expected: TraceState, ours: TraceState, refused: ReadonlySet<string>): string | null {
  return firstDifference('', withoutChoice(expected, refused), withoutChoice(ours, refused))
}

/**
 * L1 has no exception: in an evacuation the migration holds the source, whereas in Nova the instance holds both sides.
 */
export function withKnownDifferences(expected: TraceState, ours: TraceState): TraceState {
  const allocations = structuredClone(expected.allocations) as Record<string, Record<string, Record<string, number>>>
  const servers = { ...expected.servers }
  for (const { id, type, source, dest, server } of expected.migrations) {
    if (type !== 'evacuation') continue
    const held = allocations[server]
    const left = source === null ? undefined : held?.[source]
    if (source !== null && held && left && dest !== null && dest !== source && held[dest]) {
      const { [source]: _, ...rest } = held
      allocations[server] = rest
      allocations[`migration-${id}`] = { [source]: left }
    }
  }
  for (const { server } of expected.migrations) {
    const state = servers[server]
    const own = ours.servers[server]
    if (state && own && differsOnlyInTone(state.vmState, own.vmState))
      servers[server] = { ...state, vmState: own.vmState }
  }
  return { ...expected, servers, allocations }
}

/**
 * An instance that ran before an evacuation runs after it, whereas Nova leaves it stopped since microversion 2.95. A
 * failed migration leaves the instance as it was, whereas Nova sets an untouched instance to ERROR (LP 2044235).
 */
const differsOnlyInTone = (theirs: string, ours: string) =>
  ours === 'active' && (theirs === 'stopped' || theirs === 'error')

function withoutChoice(state: TraceState, refused: ReadonlySet<string>) {
  const servers = Object.entries(state.servers).filter(([name]) => !refused.has(name))
  return {
    hosts: mapped(state.hosts, hostWithoutChoice),
    servers: mapped(Object.fromEntries(servers), serverWithoutChoice),
    allocations: state.allocations,
    migrations: state.migrations,
  }
}

const mapped = <V, W>(table: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]))

function hostWithoutChoice(host: TraceHost) {
  const sum = (of: (cell: TraceNode) => number) => host.cells.reduce((total, cell) => total + of(cell), 0)
  return {
    ...host,
    cells: {
      count: host.cells.length,
      pinned: sum(({ pinnedCpus }) => pinnedCpus.length),
      cpuUsage: sum(({ cpuUsage }) => cpuUsage),
      memoryUsageMib: sum(({ memoryUsageMib }) => memoryUsageMib),
    },
    pci: sortedByText(Object.values(host.pci)),
  }
}

function serverWithoutChoice(server: TraceServer) {
  return {
    ...server,
    // A shelved server holds nothing; what it held last does not count.
    numa: server.host === null ? null : (server.numa?.map(nodeWithoutChoice) ?? null),
    pciDevices: server.pciDevices.length,
    migrationContext: server.migrationContext && contextWithoutChoice(server.migrationContext),
  }
}

const contextWithoutChoice = ({ migration, oldNuma, newNuma, oldPci, newPci }: TraceContext) => ({
  migration,
  oldNuma: oldNuma?.map(nodeWithoutChoice) ?? null,
  newNuma: newNuma?.map(nodeWithoutChoice) ?? null,
  oldPci: oldPci.length,
  newPci: newPci.length,
})

const nodeWithoutChoice = ({ cpuset, pcpuset, memoryMib, pageSizeKib }: TraceGuestNode) => ({
  cpuset: [...cpuset].sort((a, b) => a - b),
  pcpuset: [...pcpuset].sort((a, b) => a - b),
  memoryMib,
  pageSizeKib,
})

const sortedByText = <T>(list: readonly T[]): readonly T[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

function firstDifference(path: string, expected: unknown, ours: unknown): string | null {
  if (isTable(expected) && isTable(ours)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(ours)])) {
      const difference = firstDifference(path === '' ? key : `${path}.${key}`, expected[key], ours[key])
      if (difference !== null) return difference
    }
    return null
  }
  const same = JSON.stringify(expected) === JSON.stringify(ours)
  return same ? null : `${path}: expected ${JSON.stringify(expected)}, ours is ${JSON.stringify(ours)}`
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

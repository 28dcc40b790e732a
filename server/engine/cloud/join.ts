// Which connection to a hypervisor reads which host of a cloud. Both sides name the machine: Nova's libvirt driver
// takes `hypervisor_hostname` from libvirt itself. No uuid joins them: nova-compute generates that of Nova's hypervisor
// for Placement, and libvirt's is the machine's, which Nova does not report.

/** The names of a host in a cloud. */
export interface NamedHost {
  /** Nova's host name. */
  readonly host: string
  /** Name of its hypervisor. */
  readonly node: string
}

export interface NamedConnection {
  readonly id: string
  /** The machine's name on its hypervisor. */
  readonly hostname: string
}

/**
 * Connections by Nova's host names, ignoring case. The hypervisor's name takes precedence over the service's. Where two
 * connections, or two hosts, have one name, they cannot be told apart, and none is joined.
 */
export function joinHosts<C extends NamedConnection>(
  hosts: readonly NamedHost[],
  connections: readonly C[],
): ReadonlyMap<string, C> {
  const joined = new Map<string, C>()
  const taken = new Set<C>()
  for (const nameOf of [({ node }: NamedHost) => node, ({ host }: NamedHost) => host]) {
    const free = hosts.filter(({ host }) => !joined.has(host))
    const byName = onlyOnes(connections, ({ hostname }) => hostname)
    for (const [name, each] of onlyOnes(free, nameOf)) {
      const connection = byName.get(name)
      if (connection === undefined || taken.has(connection) || joined.has(each.host)) continue
      joined.set(each.host, connection)
      taken.add(connection)
    }
  }
  return joined
}

/** By name, those with a unique name. */
function onlyOnes<T>(all: readonly T[], nameOf: (each: T) => string): ReadonlyMap<string, T> {
  const byName = new Map<string, T | null>()
  for (const each of all) {
    const name = nameOf(each).toLowerCase()
    byName.set(name, byName.has(name) ? null : each)
  }
  return new Map([...byName].flatMap(([name, each]) => (each === null ? [] : [[name, each] as const])))
}

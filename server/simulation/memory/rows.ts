import type { Host } from '../../engine/host'
import type { Database } from '../../store/database/database'

// Input of the memory checker for one host: figures as stored in the tables, without sums.

export interface MemoryRows {
  readonly host: string
  readonly policy: string
  readonly nodes: readonly {
    readonly node: number
    readonly cpus: number
    readonly memoryMib: number
    readonly pages: readonly { readonly sizeKib: number; readonly total: number; readonly reserved: number }[]
  }[]
  /** MEMORY_MB inventories of the host's own providers. */
  readonly inventories: readonly { readonly reserved: number; readonly ratioMilli: number }[]
  /** Guest NUMA nodes placed on the host. */
  readonly placed: readonly { readonly node: number; readonly memoryMib: number; readonly pageKib: number | null }[]
  /** MEMORY_MB allocations on the host by consumers that are not placed on its NUMA nodes. */
  readonly floatingMib: readonly number[]
}

const MEMORY = 'MEMORY_MB'

const ROWS = `select json_build_object('host', h.name, 'policy', h.memory,
  'nodes', (select coalesce(json_agg(json_build_object('node', n.cell, 'memoryMib', n.memory_mib, 'pages', n.pages,
      'cpus', cardinality(n.shared_cpus) + cardinality(n.dedicated_cpus))), '[]') from numa_cell n where n.host_id = h.id),
  'inventories', (select coalesce(json_agg(json_build_object('reserved', i.reserved, 'ratioMilli', i.allocation_ratio_milli)), '[]')
    from inventory i join resource_provider p on p.id = i.provider_id
    where p.root_id = h.id and i.resource_class = '${MEMORY}'),
  'placed', (select coalesce(json_agg(json_build_object('node', c.host_cell, 'memoryMib', c.memory_mib, 'pageKib', c.page_kib)), '[]')
    from claim k join claim_cell c on c.claim_id = k.id where k.host_id = h.id),
  'floatingMib', (select coalesce(json_agg(a.amount), '[]') from allocation a join resource_provider p on p.id = a.provider_id
    where p.root_id = h.id and a.resource_class = '${MEMORY}' and not exists (select 1 from claim k
      join claim_cell c on c.claim_id = k.id where k.consumer_id = a.consumer_id and k.host_id = h.id))) as row
  from host h order by h.name`

export async function readMemoryRows({ pool }: Database): Promise<readonly MemoryRows[]> {
  const { rows } = await pool.query<{ row: MemoryRows }>(ROWS)
  return rows.map(({ row }) => row)
}

/** The same figures for a host in memory. Takes usage from its claims, not from its inventories. */
export function memoryRowsOf(host: Host): MemoryRows {
  const own = host.providers.filter(({ sharing }) => !sharing)
  return {
    host: host.name,
    policy: host.memory,
    nodes: host.numaNodes.map(({ id, sharedCpus, dedicatedCpus, memoryMib, pages }) => {
      return { node: id, cpus: sharedCpus.length + dedicatedCpus.length, memoryMib, pages }
    }),
    inventories: own.flatMap(({ inventories }) =>
      inventories
        .filter(({ resourceClass }) => resourceClass === MEMORY)
        .map(({ reserved, allocationRatioMilli }) => ({ reserved, ratioMilli: allocationRatioMilli })),
    ),
    placed: host.holdings.flatMap(({ body }) =>
      body.cells.map(({ hostCell, memoryMib, pageKib }) => ({ node: hostCell, memoryMib, pageKib })),
    ),
    floatingMib: host.holdings
      .filter(({ body }) => body.cells.length === 0)
      .flatMap(({ body }) => body.amounts.flatMap((each) => (each.resourceClass === MEMORY ? [each.amount] : []))),
  }
}

import type { Domain, HypervisorConnection, NodeDevice } from './connection'
import { eachAtMost } from './deadline'
import { isRefusal } from './errors'
import type { StoragePool } from './storage/control'

// A daemon's report about its host, read once. A daemon without a node device driver, or without some page size, still
// reports the rest: what it refuses is omitted with the reason, and only a lost connection aborts the read.

export interface HostInventory {
  readonly hostname: string
  readonly capabilities: string
  readonly nodeDevices: readonly NodeDevice[] | null
  readonly domains: readonly Domain[] | null
  /** The requested pool; null: none requested, or no active one has that name. */
  readonly pool: StoragePool | null
  readonly unreported: readonly { readonly what: string; readonly why: string }[]
}

/** Aborted, it ends before the next domain. */
export async function readInventory(
  connection: HypervisorConnection,
  pool: string | null,
  signal?: AbortSignal,
): Promise<HostInventory> {
  const unreported: { what: string; why: string }[] = []
  const orUnreported = async <T>(what: string, answer: Promise<T>): Promise<T | null> => {
    try {
      return await answer
    } catch (error) {
      if (!isRefusal(error)) throw error
      unreported.push({ what, why: error.message })
      return null
    }
  }
  return {
    hostname: await connection.hostname(),
    capabilities: await connection.capabilities(),
    nodeDevices: await orUnreported('devices', connection.nodeDevices()),
    domains: await orUnreported(
      'domains',
      connection.domains((domain) => {
        signal?.throwIfAborted()
        return domain
      }),
    ),
    pool: pool === null ? null : await orUnreported('storage pools', connection.pool(pool)),
    unreported,
  }
}

export interface PagePoolName {
  readonly node: number
  readonly sizeKib: number
}

const POOLS_AT_ONCE = 4

/** Read pool by pool: libvirt refuses a read of all pools when one node lacks one size. */
export async function readFreePages(
  connection: HypervisorConnection,
  pools: readonly PagePoolName[],
): Promise<ReadonlyMap<string, number | null>> {
  const counts = await eachAtMost(pools, POOLS_AT_ONCE, async ({ node, sizeKib }) => {
    const free = await connection.freePages(node, sizeKib).catch((error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    })
    return [`${node}/${sizeKib}`, free] as const
  })
  return new Map(counts)
}

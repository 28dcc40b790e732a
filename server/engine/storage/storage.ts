import type { Demand } from '../demand'
import type { Host } from '../host'
import { type Amount, inventoryOf, type Provider } from '../resources/inventory'
import { sharersOf, treeOf } from '../resources/trait'
import type { ConsumerId, InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { DISK_GB } from '../words/units'

// How shared storage affects a migration. The allocation at a provider that serves both source and target stays with
// the instance: it is neither claimed, exchanged nor released. Source: Nova `block_migration` of a live migration:
// auto, true (block) and false (shared).

/** How a live migration treats the disk. block: copies it. shared: leaves it. auto: whichever fits the two hosts. */
export const STORAGE_MODES = ['auto', 'shared', 'block'] as const
export type StorageMode = (typeof STORAGE_MODES)[number]
export type StorageUsed = Exclude<StorageMode, 'auto'>
export const STORAGE_USED = ['shared', 'block'] as const satisfies readonly StorageUsed[]

/** The storage that a migration starts from. */
export interface MigrationStorage {
  /** Null when it is no live migration: then there is no choice. */
  readonly mode: StorageMode | null
  /** Allocations of the instance outside the provider tree of its source. */
  readonly shared: readonly Amount[]
}

/** The effect of one host. */
export interface StorageAnswer {
  /** Allocations that the instance keeps: at providers that serve the target too. */
  readonly keptAmounts: readonly Amount[]
  /** Null when it is no live migration. */
  readonly used: StorageUsed | null
  readonly refusals: readonly Refusal[]
}

const UNMOVED: StorageAnswer = { keptAmounts: [], used: null, refusals: [] }

/** The consumer's allocations at providers that share with the host. */
export function sharedAmountsOf(host: Host, consumer: ConsumerId): readonly Amount[] {
  const body = host.holdings.find((holding) => holding.consumer === consumer)?.body
  if (!body) return []
  const own = new Set(treeOf(host).map(({ id }) => id))
  return body.amounts.filter(({ provider }) => !own.has(provider))
}

/** Where its allocations have the disk of an instance: none if its root disk is a volume, null if it holds nothing there. */
export function recordedDisk(host: Host, instance: InstanceId): 'shared' | 'local' | 'none' | null {
  const body = host.holdings.find((holding) => holding.instance === instance)?.body
  if (!body) return null
  const disks = body.amounts.filter(({ resourceClass }) => resourceClass === DISK_GB)
  const own = new Set(treeOf(host).map(({ id }) => id))
  return disks.length === 0 ? 'none' : disks.some(({ provider }) => own.has(provider)) ? 'local' : 'shared'
}

export function storageOn(host: Host, demand: Demand, storage: MigrationStorage | null | undefined): StorageAnswer {
  if (!storage) return UNMOVED
  const served = storage.shared.length === 0 ? [] : servedBy(sharersOf(host), storage.shared)
  const keptAmounts = served.filter(({ resourceClass, amount }) => demand.amounts[resourceClass] === amount)
  if (storage.mode === null) return { keptAmounts, used: null, refusals: [] }
  const disk = demand.amounts[DISK_GB] ?? 0
  const isShared = disk === 0 || served.some(({ resourceClass }) => resourceClass === DISK_GB)
  const used: StorageUsed = storage.mode === 'auto' ? (isShared ? 'shared' : 'block') : storage.mode
  const refusals = modeRefusals({ host, disk, keptAmounts, served }, { used, isShared })
  return { keptAmounts, used, refusals }
}

const servedBy = (sharers: readonly Provider[], amounts: readonly Amount[]): readonly Amount[] =>
  amounts.filter(({ provider, resourceClass }) =>
    sharers.some((each) => each.id === provider && inventoryOf(each, resourceClass)),
  )

interface Sides {
  readonly host: Host
  readonly disk: number
  readonly keptAmounts: readonly Amount[]
  readonly served: readonly Amount[]
}

// Nova refuses the same two: a block migration onto shared storage would write to the disk it reads, and without a copy
// the target would not find the disk.
function modeRefusals({ host, disk, keptAmounts, served }: Sides, { used, isShared }: StorageFacts): Refusal[] {
  const where = { resourceClass: DISK_GB }
  if (used === 'block') {
    if (!isShared) return []
    const have = disk === 0 ? 'no local disk to copy' : `${sharerName(host, served)}, which holds the disk already`
    return [{ kind: 'storage-shared', where, need: 'storage that the source does not share', have }]
  }
  if (!isShared) {
    const have = 'the disk is on storage that this host does not share'
    return [{ kind: 'storage-not-shared', where, need: 'the same shared storage as the source', have }]
  }
  if (disk === 0 || keptAmounts.some(({ resourceClass }) => resourceClass === DISK_GB)) return []
  const held = served.find(({ resourceClass }) => resourceClass === DISK_GB)?.amount ?? 0
  const need = `an allocation of ${disk} GB at ${sharerName(host, served)}`
  return [{ kind: 'storage-not-shared', where, need, have: `one of ${held} GB` }]
}

interface StorageFacts {
  readonly used: StorageUsed
  readonly isShared: boolean
}

function sharerName(host: Host, served: readonly Amount[]): string {
  const disk = served.find(({ resourceClass }) => resourceClass === DISK_GB)
  return host.providers.find(({ id }) => id === disk?.provider)?.name ?? 'the same storage'
}

/** The demand without the kept allocations. */
export function withoutKeptAmounts(demand: Demand, kept: readonly Amount[]): Demand {
  if (kept.length === 0) return demand
  const classes = new Set(kept.map(({ resourceClass }) => resourceClass))
  const amounts = Object.fromEntries(Object.entries(demand.amounts).filter(([each]) => !classes.has(each)))
  return { ...demand, amounts }
}

/** Splits a body's amounts into those that stay and the others. */
export function splitKeptAmounts(
  amounts: readonly Amount[],
  kept: readonly Amount[],
): { readonly stays: readonly Amount[]; readonly moves: readonly Amount[] } {
  if (kept.length === 0) return { stays: [], moves: amounts }
  const isKept = (each: Amount) =>
    kept.some(({ provider, resourceClass }) => provider === each.provider && resourceClass === each.resourceClass)
  return { stays: amounts.filter(isKept), moves: amounts.filter((each) => !isKept(each)) }
}

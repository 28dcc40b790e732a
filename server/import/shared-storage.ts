import type { HostSpec } from '../engine/host'
import type { Provider } from '../engine/resources/inventory'
import { parseProviderId } from '../engine/words/ids'
import { DISK_GB } from '../engine/words/units'
import { uuidOf } from './host-spec'

// Hosts whose disks are on shared storage: `--shared-storage NAME:GIB` of an import. The storage is a separate provider
// that serves the aggregate `storage:NAME`; the same name is the same storage in every import.

export interface ImportedStorage {
  readonly name: string
  readonly totalGib: number
}

const SHAPE = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62}):([1-9][0-9]{0,8})$/

/** Parses `NAME:GIB`; null if the text has another form. */
export function parseStorage(text: string): ImportedStorage | null {
  const [, name, gib] = SHAPE.exec(text) ?? []
  return name === undefined || gib === undefined ? null : { name, totalGib: Number(gib) }
}

function providerOf({ name, totalGib }: ImportedStorage): Provider {
  const base = { resourceClass: DISK_GB, total: totalGib, maxUnit: totalGib, reserved: 0, minUnit: 1, stepSize: 1 }
  return {
    id: parseProviderId(uuidOf(`storage ${name}`)) as Provider['id'],
    name,
    parent: null,
    generation: 0,
    inventories: [{ ...base, allocationRatioMilli: 1000, used: 0 }],
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    aggregates: [`storage:${name}`],
    sharing: true,
  }
}

/** The host without disks of its own, and with those of the shared storage. */
export function onStorage(spec: HostSpec, storage: ImportedStorage): HostSpec {
  const [root, ...rest] = spec.providers
  if (root === undefined) return spec
  const own = (provider: Provider): Provider => ({
    ...provider,
    inventories: provider.inventories.filter(({ resourceClass }) => resourceClass !== DISK_GB),
  })
  const joined = { ...own(root), aggregates: [...root.aggregates, `storage:${storage.name}`] }
  return { ...spec, providers: [joined, ...rest.map(own), providerOf(storage)] }
}

import { hostFrom } from '../../engine/holdings'
import type { Holding, Host, HostFrame, UnitTaken } from '../../engine/host'
import { withAmounts } from '../../engine/resources/allocation'
import type { Amount, Inventory, Provider } from '../../engine/resources/inventory'
import type { PlacedCell } from '../../engine/topology/guest'
import type { Cell, Device, PagePool } from '../../engine/topology/host'
import type { ClaimId, ConsumerId, HostId, InstanceId, ProviderId } from '../../engine/words/ids'
import type { UnitKind, UnitName } from '../../engine/words/units'
import type { Unreadable } from '../../engine/words/unreadable'
import type { Database } from '../database/database'
import { readableHost, readableProvider } from '../decode/host'
import { noted } from '../decode/row'
import { HOST_JSON, SHARING_JSON } from './sql'

/** Snapshots of the named hosts, or of all, in the order of their names. Unknown ids are left out. */
export async function readHosts(database: Database, ids?: readonly HostId[]): Promise<Host[]> {
  if (ids?.length === 0) return []
  const { rows } = await database.pool.query<{ host: HostJson }>({
    name: ids ? 'read-hosts' : 'read-all-hosts',
    text: `select ${HOST_JSON} as host from host h ${ids ? 'where h.id = any($1::uuid[])' : ''} order by h.name`,
    values: ids ? [ids] : [],
  })
  return rows.map(({ host }) => hostOf(host))
}

export async function readHost(database: Database, id: HostId): Promise<Host | null> {
  const [host] = await readHosts(database, [id])
  return host ?? null
}

/** Sharing providers as they are now, with what everybody holds of them. */
export async function readSharing(database: Database, ids: readonly ProviderId[]): Promise<Provider[]> {
  if (ids.length === 0) return []
  const { rows } = await database.pool.query<{ provider: SharingJson }>({
    name: 'read-sharing',
    text: `select ${SHARING_JSON} as provider from resource_provider p where p.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(({ provider }) => sharingOf(provider))
}

/** A provider with what everybody holds of it. */
export function sharingOf([row, amounts]: SharingJson): Provider {
  const provider = providerOf(
    readableProvider(row, () => {}),
    null,
  )
  return withAmounts([provider], (amounts ?? []).map(amountOf), 1)[0] ?? provider
}

/** What `SHARING_JSON` answers. */
export type SharingJson = [provider: ProviderJson, amounts: AmountJson[] | null]

type InventoryJson = [
  cls: string,
  total: number,
  reserved: number,
  min: number,
  max: number,
  step: number,
  ratio: number,
]
export type ProviderJson = [
  id: ProviderId,
  name: string,
  parent: ProviderId | null,
  generation: number,
  cell: number | null,
  inventories: InventoryJson[] | null,
  traits: string[] | null,
  aggregates: string[] | null,
]
type CellJson = [
  cell: number,
  socket: number | null,
  sharedCpus: number[],
  dedicatedCpus: number[],
  siblings: number[][],
  memoryMib: number,
  pages: Omit<PagePool, 'used'>[],
  network: Cell['network'] | null,
  distances: number[],
]
type DeviceJson = [
  name: UnitName,
  kind: Device['kind'],
  cell: number | null,
  parent: UnitName | null,
  resourceClass: string,
  provider: string | null,
  pci: NonNullable<Device['pci']> | null,
  mdevType: string | null,
  sizeMib: number | null,
  state: 'present' | 'gone',
]
export type AmountJson = [provider: ProviderId, resourceClass: string, amount: number]
type PlacedJson = [
  guestCell: number,
  hostCell: number,
  memoryMib: number,
  pageKib: number | null,
  sharedVcpus: number[],
  pins: [number, number][],
  reservedCpus: number[],
  cpuPolicy: PlacedCell['cpuPolicy'],
  threadPolicy: PlacedCell['threadPolicy'],
  reservedSharesCore: boolean,
]
type TakenJson = [unit: UnitName, kind: UnitKind, use: UnitTaken['use'], requestId: string | null]
export type HoldingJson = [
  claim: ClaimId,
  consumer: ConsumerId,
  kind: Holding['consumerKind'],
  instance: InstanceId,
  amounts: AmountJson[] | null,
  cells: PlacedJson[] | null,
  units: TakenJson[] | null,
]
/** What `HOST_JSON` answers. */
export type HostJson = [
  id: HostId,
  name: string,
  truth: HostFrame['truth'],
  admission: HostFrame['admission'],
  zone: string | null,
  cpu: HostFrame['cpu'],
  layout: HostFrame['layout'],
  driver: HostFrame['driver'],
  providers: ProviderJson[],
  cells: CellJson[] | null,
  devices: DeviceJson[] | null,
  holdings: HoldingJson[] | null,
  others: AmountJson[] | null,
  remains: InstanceId[] | null,
  memory: HostFrame['memory'],
]

export function hostOf(raw: HostJson): Host {
  const notes: Unreadable[] = []
  const row = readableHost(raw, notes)
  const [id, name, truth, admission, zone, cpu, layout, driver] = row
  const [, , , , , , , , providers, cells, devices, holdings, others, remains, memory] = row
  const frame: HostFrame = { id, name, truth, admission, zone, cpu, layout, driver, memory }
  const parts = {
    providers: providers.map((provider) => providerOf(provider, id)),
    cells: (cells ?? []).map(cellOf),
    devices: (devices ?? []).map(deviceOf),
    remains: remains ?? [],
    others: (others ?? []).map(amountOf),
  }
  return noted(hostFrom(frame, parts, (holdings ?? []).map(holdingOf)), notes)
}

function providerOf(row: ProviderJson, host: HostId | null): Provider {
  const [id, name, parent, generation, cell, inventories, traits, aggregates] = row
  return {
    id,
    name,
    parent,
    generation,
    inventories: (inventories ?? []).map(inventoryOf),
    traits: traits ?? [],
    aggregates: aggregates ?? [],
    // Of a host's own tree only the root has no parent, and it carries the host's id.
    sharing: parent === null && (id as string) !== host,
    ...(cell === null ? {} : { cell }),
  }
}

const inventoryOf = ([
  resourceClass,
  total,
  reserved,
  minUnit,
  maxUnit,
  stepSize,
  ratio,
]: InventoryJson): Inventory => ({
  resourceClass,
  total,
  reserved,
  minUnit,
  maxUnit,
  stepSize,
  allocationRatioMilli: ratio,
  used: 0,
})

function cellOf(row: CellJson): Cell {
  const [id, socket, sharedCpus, dedicatedCpus, siblings, memoryMib, pages, network, distances] = row
  return {
    id,
    socket,
    sharedCpus,
    dedicatedCpus,
    siblings,
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib,
    memoryUsedMib: 0,
    pages: pages.map((pool) => ({ ...pool, used: 0 })),
    ...(network ? { network } : {}),
    ...(distances.length > 0 ? { distances } : {}),
  }
}

function deviceOf(row: DeviceJson): Device {
  const [unit, kind, cell, parent, resourceClass, provider, pci, mdevType, sizeMib, state] = row
  return {
    unit,
    kind,
    cell,
    parent,
    resourceClass,
    ...(provider === null ? {} : { provider }),
    ...(pci === null ? {} : { pci }),
    ...(mdevType === null ? {} : { mdevType }),
    ...(sizeMib === null ? {} : { sizeMib }),
    ...(state === 'gone' ? { gone: true } : {}),
    free: state === 'present',
  }
}

const amountOf = ([provider, resourceClass, amount]: AmountJson): Amount => ({ provider, resourceClass, amount })

export function holdingOf([claim, consumer, consumerKind, instance, amounts, cells, units]: HoldingJson): Holding {
  return {
    claim,
    consumer,
    consumerKind,
    instance,
    body: {
      amounts: (amounts ?? []).map(amountOf),
      cells: (cells ?? []).map(placedOf),
      units: (units ?? []).map(takenOf),
    },
  }
}

const placedOf = (row: PlacedJson): PlacedCell => ({
  guestCell: row[0],
  hostCell: row[1],
  memoryMib: row[2],
  pageKib: row[3],
  sharedVcpus: row[4],
  pins: row[5],
  reservedCpus: row[6],
  cpuPolicy: row[7],
  threadPolicy: row[8],
  ...(row[9] ? { reservedSharesCore: true } : {}),
})

const takenOf = ([unit, kind, use, requestId]: TakenJson): UnitTaken => ({
  unit,
  kind,
  use,
  ...(requestId === null ? {} : { requestId }),
})

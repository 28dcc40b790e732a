import { hostFrom } from '../../engine/holdings'
import type { ClaimedUnit, Holding, Host } from '../../engine/host'
import { withAmounts } from '../../engine/resources/allocation'
import type { Amount, Provider } from '../../engine/resources/inventory'
import type { PlacedNode } from '../../engine/topology/guest-topology'
import type { Device, NumaNode } from '../../engine/topology/host'
import type { ClaimId, HostId, ProviderId } from '../../engine/words/ids'
import type { Unreadable } from '../../engine/words/unreadable'
import type { Database } from '../database/database'
import { type Cells, type Note, noNote, noted } from '../decode/row'
import { AMOUNT, CELL, DEVICE, HOLDING, HOST, type HostRow, INVENTORY, PLACED, PROVIDER, SHARING, TAKEN } from './sql'

/** Snapshots of the named hosts, or of all, in the order of their names. Unknown ids are left out. */
export async function readHosts(database: Database, ids?: readonly HostId[]): Promise<Host[]> {
  if (ids?.length === 0) return []
  const { rows } = await database.pool.query<{ host: Cells }>({
    name: ids ? 'read-hosts' : 'read-all-hosts',
    text: `select ${HOST.json} as host from host h ${ids ? 'where h.id = any($1::uuid[])' : ''} order by h.name`,
    values: ids ? [ids] : [],
  })
  return rows.map(({ host }) => hostOf(host))
}

export async function readHost(database: Database, id: HostId): Promise<Host | null> {
  const [host] = await readHosts(database, [id])
  return host ?? null
}

/** Sharing providers with the amounts that all consumers hold of them. */
export async function readSharing(database: Database, ids: readonly ProviderId[]): Promise<Provider[]> {
  if (ids.length === 0) return []
  const { rows } = await database.pool.query<{ provider: Cells }>({
    name: 'read-sharing',
    text: `select ${SHARING.json} as provider from resource_provider p where p.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(({ provider }) => sharingOf(provider))
}

/** A provider with the amounts that all consumers hold of it, as returned by `SHARING`. */
export function sharingOf(row: Cells): Provider {
  const { provider: cells, amounts } = SHARING.read(row)
  const provider = providerOf(cells, null, noNote)
  const held = amountsOf(amounts)
  return withAmounts([provider], held, 1)[0] ?? provider
}

/** A host from `HOST`, with stand-ins for unreadable values and a note of each. */
export function hostOf(cells: Cells): Host {
  const notes: Unreadable[] = []
  const note: Note = (unreadable) => void notes.push(unreadable)
  const row = HOST.read(cells, ({ id }) => `id=${id}`, note)
  const { id, name, status, scheduling, zone, cpu, layout, driver, memory } = row
  const providers = (row.providers ?? []).map((provider) => providerOf(provider, id, note))
  if (!providers.some((provider) => (provider.id as string) === id)) {
    note({ table: 'host', key: `id=${id}`, column: 'id', reason: 'expected a resource provider with this id' })
  }
  const parts = {
    providers,
    numaNodes: (row.cells ?? []).map((cell) => numaNodeOf(cell, id, note)),
    devices: (row.devices ?? []).map((device) => deviceOf(device, id, note)),
    leftovers: row.remains ?? [],
    others: amountsOf(row.others, amountKey, note),
  }
  const holdings = (row.holdings ?? []).map((holding) => holdingOf(holding, note))
  noteUncounted(row, parts, note)
  return noted(hostFrom({ id, name, status, scheduling, zone, cpu, layout, driver, memory }, parts, holdings), notes)
}

/** A device without inventory on any provider of its host is not offered. Flat hosts have the inventory on the root. */
function noteUncounted(
  { id, layout }: HostRow,
  { providers, devices }: { readonly providers: readonly Provider[]; readonly devices: readonly Device[] },
  note: Note,
): void {
  if (layout !== 'nested') return
  for (const { unit, provider } of devices) {
    if (provider === undefined || providers.some((each) => (each.id as string) === provider)) continue
    const key = `host_id=${id}, name=${unit}`
    note({ table: 'unit', key, column: 'provider', reason: 'expected the id of a provider of its host' })
  }
}

function providerOf(cells: Cells, host: HostId | null, note: Note): Provider {
  const row = PROVIDER.read(cells, ({ id }) => `id=${id}`, note)
  const { id, name, parent, generation, cell, traits, aggregates } = row
  const keyOf = ({ resourceClass }: { readonly resourceClass: string }) =>
    `provider_id=${id}, resource_class=${resourceClass}`
  return {
    ...{ id, name, parent, generation },
    inventories: (row.inventories ?? []).map((inventory) => ({ ...INVENTORY.read(inventory, keyOf, note), used: 0 })),
    traits: traits ?? [],
    aggregates: aggregates ?? [],
    // In a host's own tree only the root has no parent, and it carries the host's id.
    sharing: parent === null && (id as string) !== host,
    ...(cell === null ? {} : { cell }),
  }
}

function numaNodeOf(cells: Cells, host: HostId, note: Note): NumaNode {
  const { pages, network, distances, ...cell } = CELL.read(cells, ({ id }) => `host_id=${host}, cell=${id}`, note)
  return {
    ...cell,
    pinnedCpus: [],
    sharedUsed: 0,
    memoryUsedMib: 0,
    pages: pages.map((pool) => ({ ...pool, used: 0 })),
    ...(network ? { network } : {}),
    ...(distances.length > 0 ? { distances } : {}),
  }
}

function deviceOf(cells: Cells, host: HostId, note: Note): Device {
  const row = DEVICE.read(cells, ({ unit }) => `host_id=${host}, name=${unit}`, note)
  const { unit, kind, cell, parent, resourceClass, provider, pci, mdevType, sizeMib, state } = row
  return {
    ...{ unit, kind, cell, parent, resourceClass },
    ...(provider === null ? {} : { provider }),
    ...(pci === null ? {} : { pci }),
    ...(mdevType === null ? {} : { mdevType }),
    ...(sizeMib === null ? {} : { sizeMib }),
    ...(state === 'gone' ? { gone: true } : {}),
    free: state === 'present',
  }
}

const amountKey = ({ provider, resourceClass }: Amount) => `provider_id=${provider}, resource_class=${resourceClass}`

const amountsOf = (rows: readonly Cells[] | null, key?: (amount: Amount) => string, note?: Note): Amount[] =>
  (rows ?? []).map((amount) => AMOUNT.read(amount, key, note))

/** A claim as `HOLDING` answers it. */
export function holdingOf(cells: Cells, note: Note = noNote): Holding {
  const row = HOLDING.read(cells, ({ claim }) => `id=${claim}`, note)
  const { claim, consumer, consumerKind, instance } = row
  return {
    ...{ claim, consumer, consumerKind, instance },
    body: {
      amounts: amountsOf(row.amounts, (amount) => `consumer_id=${consumer}, ${amountKey(amount)}`, note),
      cells: (row.cells ?? []).map((cell) => placedOf(cell, claim, note)),
      units: (row.units ?? []).map((unit) => takenOf(unit, claim, note)),
    },
  }
}

function placedOf(cells: Cells, claim: ClaimId, note: Note): PlacedNode {
  const keyOf = ({ guestCell }: PlacedNode) => `claim_id=${claim}, guest_cell=${guestCell}`
  const row = PLACED.read(cells, keyOf, note)
  const { guestCell, hostCell, memoryMib, pageKib, sharedVcpus, pins, reservedCpus, cpuPolicy, threadPolicy } = row
  return {
    ...{ guestCell, hostCell, memoryMib, pageKib, sharedVcpus, pins, reservedCpus, cpuPolicy, threadPolicy },
    ...(row.reservedSharesCore ? { reservedSharesCore: true } : {}),
  }
}

function takenOf(cells: Cells, claim: ClaimId, note: Note): ClaimedUnit {
  const { unit, kind, use, requestId } = TAKEN.read(cells, (taken) => `claim_id=${claim}, unit=${taken.unit}`, note)
  return { unit, kind, use, ...(requestId === null ? {} : { requestId }) }
}

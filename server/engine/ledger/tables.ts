import type { Snapshot, StrayAllocation } from '../audit/snapshot'
import { type HostParts, hostFrom, shareUsage } from '../holdings'
import type { ClaimedUnit, Holding } from '../host'
import type { Amount } from '../resources/inventory'
import { keyOf, type Line } from '../rows'
import { linesOfHolding } from '../rows-of-holding'
import type { Device } from '../topology/host'
import type { ConsumerId, HostId, ProviderId } from '../words/ids'
import { grouped } from './grouped'

// Splits a snapshot into its rows, and rebuilds it from rows as the store would read them.

/** Rows by key. Wrong records may show one unit with two holders, so a key may have several values. */
export type Tables = Map<string, Line[]>

type Of<K extends Line['row']> = Extract<Line, { row: K }>
const TYPES = { instance: 'INSTANCE', migration: 'MIGRATION' } as const

export function tablesOf(snapshot: Snapshot): Tables {
  const tables: Tables = new Map()
  for (const host of snapshot.hosts) {
    for (const holding of host.holdings) for (const line of linesOfHolding(host, holding, '')) add(tables, line)
    for (const device of host.devices) {
      const after = { provider: device.provider ?? null, state: device.gone ? 'gone' : 'present' } as const
      add(tables, { row: 'unit', key: { host: host.id, unit: device.unit }, after, ...MADE })
    }
  }
  for (const { id, host, vmState, flavor } of snapshot.instances) {
    add(tables, { row: 'instance', key: { id }, after: { host, vmState, flavor }, ...MADE })
  }
  for (const { id, step, home, outcome, cause, waiting } of snapshot.migrations) {
    add(tables, { row: 'migration', key: { id }, after: { step, home, outcome, cause, waiting }, ...MADE })
  }
  for (const { host, instance, migration, side } of snapshot.leftovers ?? []) {
    add(tables, { row: 'remain', key: { host, instance, migration }, after: { side }, ...MADE })
  }
  for (const { consumer, provider, resourceClass, amount, type } of snapshot.strayAllocations ?? []) {
    once(tables, { row: 'allocation', key: { consumer, provider, resourceClass }, after: { amount }, ...MADE })
    once(tables, { row: 'consumer', key: { id: consumer }, after: { type }, ...MADE })
  }
  for (const { id, type } of snapshot.looseConsumers ?? []) {
    once(tables, { row: 'consumer', key: { id }, after: { type }, ...MADE })
  }
  return tables
}

const MADE = { before: null, host: null, why: '' } as const

function add(tables: Tables, line: Line): void {
  const key = keyOf(line)
  const rows = tables.get(key)
  if (rows === undefined || line.row === 'consumer') tables.set(key, [line])
  else rows.push(line)
}

function once(tables: Tables, line: Line): void {
  if (!tables.has(keyOf(line))) tables.set(keyOf(line), [line])
}

const rowsOf = <K extends Line['row']>(tables: Tables, row: K): readonly Of<K>[] =>
  [...tables.values()].flat().filter((line): line is Of<K> => line.row === row && line.after !== null)

/** The snapshot as read from these tables: `touched` hosts are rebuilt. */
export function snapshotOf(tables: Tables, old: Snapshot, touched: ReadonlySet<HostId>): Snapshot {
  const holdings = holdingsOf(tables, old)
  const strayAllocations = straysOf(tables, { old, holdings })
  const leftovers = old.leftovers && rowsOf(tables, 'remain').map(({ key, after }) => ({ ...key, side: after!.side }))
  const shown = new Map(rowsOf(tables, 'unit').map(({ key, after }) => [`${key.host} ${key.unit}`, after!]))
  const hosts = old.hosts.map((host) => {
    if (!touched.has(host.id)) return host
    const devices = host.devices.map(({ gone: _, ...device }) => {
      const isGone = shown.get(`${host.id} ${device.unit}`)?.state === 'gone'
      return isGone ? { ...device, gone: true } : device
    })
    const made = rowsOf(tables, 'unit').flatMap((line) => {
      const isNew = line.key.host === host.id && !host.devices.some(({ unit }) => unit === line.key.unit)
      return isNew ? madeDevice(line) : []
    })
    const others = strayAllocations.filter((each) => each.host === host.id)
    const instances = leftovers?.flatMap((each) => (each.host === host.id ? [each.instance] : []))
    const parts: HostParts = {
      ...host,
      devices: [...devices, ...made],
      others,
      leftovers: instances ? [...new Set(instances)] : host.leftovers,
    }
    return hostFrom(host, parts, holdings.get(host.id) ?? [])
  })
  const migrations = new Map(rowsOf(tables, 'migration').map((line) => [line.key.id, line.after!]))
  const rows = new Map(rowsOf(tables, 'instance').map((line) => [line.key.id, line.after!]))
  return {
    ...old,
    hosts: shareUsage(hosts),
    instances: old.instances.map((instance) => ({ ...instance, ...rows.get(instance.id) })),
    migrations: old.migrations.map((migration) => ({ ...migration, ...migrations.get(migration.id) })),
    ...(leftovers ? { leftovers } : {}),
    ...(old.strayAllocations || strayAllocations.length > 0 ? { strayAllocations } : {}),
    ...(old.looseConsumers ? { looseConsumers: looseOf(tables, holdings) } : {}),
  }
}

/** A created row says what the device is. */
function madeDevice({ key: { unit }, after }: Of<'unit'>): readonly Device[] {
  if (!after?.made) return []
  const { provider, state, made } = after
  return [{ ...made, unit, ...(provider === null ? {} : { provider }), free: state === 'present' }]
}

type ByHost = ReadonlyMap<HostId, readonly Holding[]>

function holdingsOf(tables: Tables, old: Snapshot): ByHost {
  const amounts = grouped(rowsOf(tables, 'allocation'), ({ key }) => key.consumer)
  const cells = grouped(rowsOf(tables, 'claim-cell'), ({ key }) => key.claim)
  const units = grouped(rowsOf(tables, 'unit-holding'), ({ after }) => after!.claim)
  const kinds = new Map(old.hosts.map((host) => [host.id, new Map(host.devices.map(({ unit, kind }) => [unit, kind]))]))
  for (const { key, after } of rowsOf(tables, 'unit')) {
    if (after?.made) kinds.get(key.host)?.set(key.unit, after.made.kind)
  }
  const made = rowsOf(tables, 'claim').map(({ key, after }) => {
    const { host, ...whose } = after!
    const body = {
      amounts: (amounts.get(whose.consumer) ?? []).map((line): Amount => amountOf(line)),
      cells: (cells.get(key.id) ?? []).map((line) => ({ guestCell: line.key.guestCell, ...line.after! })),
      units: (units.get(key.id) ?? []).map((line): ClaimedUnit => {
        const { use, requestId } = line.after!
        const kind = kinds.get(host)?.get(line.key.unit as never) ?? 'cpu'
        return { unit: line.key.unit, kind, use, ...(requestId === null ? {} : { requestId }) }
      }),
    }
    return { host, holding: { claim: key.id, ...whose, body } }
  })
  const byHost = grouped(made, ({ host }) => host)
  return new Map([...byHost].map(([host, all]) => [host, all.map(({ holding }) => holding)]))
}

const amountOf = ({ key, after }: Of<'allocation'>): Amount => {
  return { provider: key.provider, resourceClass: key.resourceClass, amount: after!.amount }
}

interface Reading {
  readonly old: Snapshot
  readonly holdings: ByHost
}

/** Allocations of consumers that have no claim on the provider's host. */
function straysOf(tables: Tables, { old, holdings }: Reading): readonly StrayAllocation[] {
  const hostOf = new Map<ProviderId, HostId | null>()
  for (const { provider, host } of old.strayAllocations ?? []) hostOf.set(provider, host)
  for (const host of old.hosts) for (const each of host.providers) hostOf.set(each.id, each.sharing ? null : host.id)
  const claimsOf = new Map<ConsumerId, HostId[]>()
  for (const [host, all] of holdings) {
    for (const { consumer } of all) claimsOf.set(consumer, [...(claimsOf.get(consumer) ?? []), host])
  }
  const owners = new Map((old.strayAllocations ?? []).map(({ consumer, owner }) => [consumer, owner]))
  const types = new Map(rowsOf(tables, 'consumer').map(({ key, after }) => [key.id, after!.type]))
  return rowsOf(tables, 'allocation').flatMap((line) => {
    const { consumer } = line.key
    const host = hostOf.get(line.key.provider) ?? null
    const covered = claimsOf.get(consumer)
    if (host === null ? covered !== undefined : covered?.includes(host)) return []
    const type = types.get(consumer) ?? TYPES.instance
    const owner = owners.get(consumer)
    return [{ ...amountOf(line), consumer, host, type, ...(owner ? { owner } : {}) }]
  })
}

function looseOf(tables: Tables, holdings: ByHost): NonNullable<Snapshot['looseConsumers']> {
  const claimed = new Set<ConsumerId>([...holdings.values()].flat().map(({ consumer }) => consumer))
  const rows = rowsOf(tables, 'consumer').map(({ key, after }) => ({ id: key.id, type: after!.type }))
  return rows.filter(({ id, type }) => !claimed.has(id) && (type === TYPES.instance || type === TYPES.migration))
}
